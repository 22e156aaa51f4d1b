CREATE TRIGGER announce AFTER INSERT OR DELETE ON oauth_clients
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();

-- Using a client does not change it, so cached clients and issued codes remain valid.
CREATE TRIGGER announce_update AFTER UPDATE ON oauth_clients
  FOR EACH ROW WHEN (OLD.last_used_at IS NOT DISTINCT FROM NEW.last_used_at)
  EXECUTE FUNCTION kw_announce_change();

CREATE TRIGGER count_change BEFORE UPDATE ON oauth_clients
  FOR EACH ROW WHEN (OLD.last_used_at IS NOT DISTINCT FROM NEW.last_used_at)
  EXECUTE FUNCTION kw_count_client_change();
