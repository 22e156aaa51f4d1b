-- A tenant that was inactive and is active again is a grant of another version: its tokens from before stay dead.
CREATE OR REPLACE FUNCTION kw_count_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.access_version := OLD.access_version + 1;
  RETURN NEW;
END
$$;
