-- Ends the dependents of users and agents before they are deleted: a cascade would work as the owner of the tables,
-- whom row-level security does not let write.
CREATE OR REPLACE FUNCTION kw_end_before_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'users' THEN
    -- Before the consents go, which say what clients know the user.
    PERFORM kw_signal(OLD.tenant_id, 'account-purged', OLD.id, NULL, NULL, NULL, '{}');
    UPDATE sessions SET is_active = false
     WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND is_active;
    UPDATE delegations SET revoked_at = now()
     WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND revoked_at IS NULL;
  ELSE
    UPDATE api_keys SET revoked_at = now()
     WHERE tenant_id = OLD.tenant_id AND agent_id = OLD.id AND revoked_at IS NULL;
    UPDATE delegations SET revoked_at = now()
     WHERE tenant_id = OLD.tenant_id AND agent_id = OLD.id AND revoked_at IS NULL;
  END IF;
  RETURN OLD;
END
$$;
