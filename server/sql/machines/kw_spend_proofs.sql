-- As kw_spend_statements, for proofs of possession, of which there is one with each request. It does not wait for the disk:
-- after a crash of the database, a proof of its last second may be used again while it is a minute old at most, with its token,
-- by somebody who has both.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_spend_proofs(p_tenants text[], p_ids bytea[], p_ends timestamptz[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
BEGIN
  RETURN kw_spend_statements(p_tenants, p_ids, p_ends);
END
$$;
