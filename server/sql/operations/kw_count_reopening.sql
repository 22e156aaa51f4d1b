-- Gives a reactivated tenant a new access version, so that earlier impersonation tokens remain invalid.
CREATE OR REPLACE FUNCTION kw_count_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.access_version := OLD.access_version + 1;
  RETURN NEW;
END
$$;
