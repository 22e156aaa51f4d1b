-- Announces each change of a tenant's settings and keys with the commit, because nodes cache them.
CREATE OR REPLACE FUNCTION kw_announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keywright_changes', coalesce(NEW.tenant_id, OLD.tenant_id));
  RETURN NULL;
END
$$;
