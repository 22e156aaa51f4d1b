-- Increases the version of a changed client, so that a cached earlier version is not accepted.
CREATE OR REPLACE FUNCTION kw_count_client_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;
