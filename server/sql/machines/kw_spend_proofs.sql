-- Like kw_spend_statements, for proofs of possession; each request has one. It does not wait for the disk:
-- after a crash of the database, an attacker who has both a proof of its last second and the token can use the proof
-- again while it is at most a minute old.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_spend_proofs(p_tenants text[], p_ids bytea[], p_ends timestamptz[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
BEGIN
  RETURN kw_spend_statements(p_tenants, p_ids, p_ends);
END
$$;
