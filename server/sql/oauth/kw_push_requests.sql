-- Replaced by kw_push_known_requests; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_push_requests(
  p_tenants text[], p_ids bytea[], p_clients text[], p_parameters text[], p_expires_at timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    INSERT INTO pushed_requests (tenant_id, id, client_id, parameters, expires_at)
    VALUES (p_tenants[i], p_ids[i], p_clients[i], p_parameters[i], p_expires_at[i]);
  END LOOP;
END
$$;
