-- A reactivated tenant has a new access version: earlier impersonation tokens stay invalid.
CREATE OR REPLACE FUNCTION kw_count_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.access_version := OLD.access_version + 1;
  RETURN NEW;
END
$$;
