-- Nodes keep the settings and keys of tenants in memory. Whatever changes them announces it, with the commit.
CREATE OR REPLACE FUNCTION kw_announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keywright_changes', coalesce(NEW.tenant_id, OLD.tenant_id));
  RETURN NULL;
END
$$;
