-- Revokes the tokens of a session that ended or whose permissions changed.
CREATE OR REPLACE FUNCTION kw_revoke_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], ARRAY[OLD.status_idx]);
  RETURN NULL;
END
$$;
