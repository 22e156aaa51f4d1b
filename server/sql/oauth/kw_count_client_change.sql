-- A cached client of an earlier version opens nothing.
CREATE OR REPLACE FUNCTION kw_count_client_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;
