-- Works like kw_spend_statements, for proofs of possession; each request has one. The commit does not wait for the
-- disk: after a database crash, an attacker who has both the token and a proof from the last second before it can
-- reuse the proof until it is a minute old.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_spend_proofs(p_tenants text[], p_ids bytea[], p_ends timestamptz[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
BEGIN
  RETURN kw_spend_statements(p_tenants, p_ids, p_ends);
END
$$;
