-- Returns the number of the last change of an entered tenant; without a change, its creation time.
-- caller: none
CREATE OR REPLACE FUNCTION kw_status_version(p_tenant text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT version FROM status_positions WHERE tenant_id = p_tenant),
    (SELECT floor(extract(epoch FROM created_at) * 1000)::bigint FROM tenants WHERE tenant_id = p_tenant))
$$;
