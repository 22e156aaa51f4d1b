CREATE TRIGGER copy_agent BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION kw_copy_agent_to_new_key();

CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF revoked_at, expires_at ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (NEW.revoked_at IS NOT NULL OR NEW.expires_at < OLD.expires_at))
  EXECUTE FUNCTION kw_revoke_api_key();

CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.revoked_at IS NULL)
  EXECUTE FUNCTION kw_revoke_api_key();
