CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active, access_version ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND (NOT NEW.is_active OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_session();

CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND OLD.absolute_expires_at > now())
  EXECUTE FUNCTION kw_revoke_session();
