CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON tenants
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();

CREATE TRIGGER count_reopening BEFORE UPDATE OF is_active ON tenants
  FOR EACH ROW WHEN (NEW.is_active AND NOT OLD.is_active) EXECUTE FUNCTION kw_count_reopening();

CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active ON tenants
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.is_active AND NOT OLD.is_active)
  EXECUTE FUNCTION kw_revoke_impersonations();
