CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON tenants
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();

CREATE TRIGGER count_reopening BEFORE UPDATE OF is_active ON tenants
  FOR EACH ROW WHEN (NEW.is_active AND NOT OLD.is_active) EXECUTE FUNCTION kw_count_reopening();

CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active ON tenants
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.is_active AND NOT OLD.is_active)
  EXECUTE FUNCTION kw_revoke_impersonations();

CREATE TRIGGER keep_logos AFTER UPDATE OF branding ON tenants
  FOR EACH ROW WHEN (NEW.branding IS DISTINCT FROM OLD.branding) EXECUTE FUNCTION kw_keep_logos();

CREATE TRIGGER keep_first_logos AFTER INSERT ON tenants
  FOR EACH ROW WHEN (NEW.branding ?| ARRAY['logo_url', 'logo_dark_url', 'icon_url', 'background_url']) EXECUTE FUNCTION kw_keep_logos();
