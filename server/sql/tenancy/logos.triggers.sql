CREATE TRIGGER announce AFTER UPDATE OF status ON logos
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();
