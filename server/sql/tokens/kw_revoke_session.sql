-- A session that ended, or whose permissions change from now on.
CREATE OR REPLACE FUNCTION kw_revoke_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], ARRAY[OLD.status_idx]);
  RETURN NULL;
END
$$;
