-- Returns the private half of a tenant's key, and the data key that encrypts it; no row once the private half is
-- destroyed.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_private_key(p_tenant text, p_kid text) RETURNS TABLE (
  private_key bytea, wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.private_key, d.wrapped_key, d.master_key_id
    FROM signing_keys k JOIN tenant_data_keys d ON d.tenant_id = k.tenant_id
   WHERE k.tenant_id = p_tenant AND k.id = p_kid AND k.private_key IS NOT NULL;
END
$$;
