CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON oauth_clients
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();

CREATE TRIGGER count_change BEFORE UPDATE ON oauth_clients
  FOR EACH ROW EXECUTE FUNCTION kw_count_client_change();
