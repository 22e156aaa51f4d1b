-- Ends the dependents of users and agents before they are deleted. A cascade would run as the owner of the tables, and
-- row-level security does not let the owner write.
CREATE OR REPLACE FUNCTION kw_end_before_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'users' THEN
    -- Runs before the consents are deleted, because they determine which clients know the user.
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
