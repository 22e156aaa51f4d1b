-- A trigger instead of CHECK constraints: PostgreSQL prepares those for each UPDATE, and a refresh changes none of
-- these columns.
CREATE TRIGGER opened_as_its_kind BEFORE INSERT ON sessions
  FOR EACH ROW
  WHEN (NOT (
    NEW.kind IN ('api', 'browser', 'client') AND NEW.acr IN ('aal1', 'aal2', 'phr')
    AND (NEW.kind = 'client') = (NEW.client_id IS NOT NULL)
    AND (NEW.kind = 'client') = (NEW.scopes IS NOT NULL)
    AND (NEW.kind = 'client' OR NEW.parent_id IS NULL)
    AND (NEW.kind <> 'api' OR NEW.refresh_kid IS NOT NULL)
    AND (NEW.kind <> 'browser' OR NEW.refresh_kid IS NULL)
  ))
  EXECUTE FUNCTION kw_reject_row();

CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active, access_version ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND (NOT NEW.is_active OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_session();

CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND OLD.absolute_expires_at > now())
  EXECUTE FUNCTION kw_revoke_session();

-- Fires only for sessions whose clients are notified when they end; other sessions cost nothing.
CREATE CONSTRAINT TRIGGER tell_clients_on_update AFTER UPDATE OF is_active ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND NOT NEW.is_active AND OLD.kind <> 'api')
  EXECUTE FUNCTION kw_notify_clients();

CREATE CONSTRAINT TRIGGER tell_clients_on_delete AFTER DELETE ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND OLD.kind <> 'api' AND OLD.absolute_expires_at > now())
  EXECUTE FUNCTION kw_notify_clients();

-- Receivers of shared signals are notified of every kind of session.
CREATE CONSTRAINT TRIGGER signal_on_update AFTER UPDATE OF is_active ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND NOT NEW.is_active)
  EXECUTE FUNCTION kw_signal_session();

CREATE CONSTRAINT TRIGGER signal_on_delete AFTER DELETE ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND OLD.absolute_expires_at > now())
  EXECUTE FUNCTION kw_signal_session();
