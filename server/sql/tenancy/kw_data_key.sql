-- The stored data key of a tenant.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_data_key(p_tenant text)
RETURNS TABLE (wrapped_key bytea, master_key_id text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.wrapped_key, k.master_key_id FROM tenant_data_keys k WHERE k.tenant_id = p_tenant;
END
$$;
