-- Revokes the tokens of a deactivated user. The caller has already ended the sessions; this covers remaining ones.
CREATE OR REPLACE FUNCTION kw_revoke_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('keywright.tenant_id', OLD.tenant_id, true);
  UPDATE sessions SET is_active = false, end_reason = 'deactivated', ended_at = now()
   WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND is_active;
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY(
    SELECT d.id FROM delegations d
     WHERE d.tenant_id = OLD.tenant_id AND d.user_id = OLD.id AND d.revoked_at IS NULL), '{}');
  RETURN NULL;
END
$$;
