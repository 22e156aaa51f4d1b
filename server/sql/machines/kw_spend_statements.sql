-- Uses up signed statements that are valid once, such as client assertions and proofs of possession. Returns, in the
-- given order, sorted by tenant and ID, '1' if a statement had not been used before, else '0'. A unique row decides
-- among nodes. Concurrent calls, for any tenants, share one statement and one commit. Row-level security admits one
-- tenant at a time.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_spend_statements(p_tenants text[], p_ids bytea[], p_ends timestamptz[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('role', 'keywright_tenant', true);
  v_new text := '';
BEGIN
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    INSERT INTO spent_assertions (tenant_id, id, expires_at)
    VALUES (p_tenants[i], p_ids[i], p_ends[i])
        ON CONFLICT (tenant_id, id) DO NOTHING;
    v_new := v_new || CASE WHEN FOUND THEN '1' ELSE '0' END;
  END LOOP;
  RETURN v_new;
END
$$;
