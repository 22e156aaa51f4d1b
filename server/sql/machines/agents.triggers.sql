CREATE TRIGGER copy_to_keys AFTER UPDATE ON agents
  FOR EACH ROW EXECUTE FUNCTION kw_copy_agent_to_keys();

CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active, access_version ON agents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND (NOT NEW.is_active OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_agent();

CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON agents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_active)
  EXECUTE FUNCTION kw_revoke_agent();

CREATE TRIGGER end_before_delete BEFORE DELETE ON agents
  FOR EACH ROW EXECUTE FUNCTION kw_end_before_delete();
