CREATE TRIGGER count_change AFTER INSERT OR UPDATE OR DELETE ON oauth_client_secrets
  FOR EACH ROW EXECUTE FUNCTION kw_count_secret_change();
