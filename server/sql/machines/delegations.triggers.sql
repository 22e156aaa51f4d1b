CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF id, revoked_at, access_version ON delegations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (NEW.revoked_at IS NOT NULL OR NEW.id <> OLD.id
        OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_delegation();

CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON delegations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.revoked_at IS NULL)
  EXECUTE FUNCTION kw_revoke_delegation();
