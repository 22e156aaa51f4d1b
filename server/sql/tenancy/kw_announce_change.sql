-- Nodes cache settings and keys of tenants. Every change of them is announced with the commit.
CREATE OR REPLACE FUNCTION kw_announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keywright_changes', coalesce(NEW.tenant_id, OLD.tenant_id));
  RETURN NULL;
END
$$;
