-- The scheme of a password is the part of its hash before the salt.
CREATE OR REPLACE FUNCTION kw_set_scheme() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.scheme := CASE WHEN NEW.secret_hash LIKE '$2_$%' THEN left(NEW.secret_hash, 7)
                     ELSE substring(NEW.secret_hash FROM '^(\$[^$]+(\$v=[0-9]+)?\$[^$]+)\$') END;
  RETURN NEW;
END
$$;
