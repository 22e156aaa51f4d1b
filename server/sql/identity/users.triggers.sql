CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active)
  EXECUTE FUNCTION kw_revoke_user();

CREATE TRIGGER end_before_delete BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION kw_end_before_delete();
