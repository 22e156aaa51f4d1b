-- The tenant with this id or domain.
-- caller: reading
-- null: p_id, p_domain
-- type config: Record<string, unknown>
CREATE OR REPLACE FUNCTION kw_resolve_tenant(p_id text, p_domain text)
RETURNS SETOF tenants LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_resolver', true);
  IF p_id IS NOT NULL THEN
    RETURN QUERY SELECT t.* FROM tenants t WHERE t.tenant_id = p_id AND t.deleted_at IS NULL;
  ELSE
    RETURN QUERY SELECT t.* FROM tenant_domains d JOIN tenants t USING (tenant_id)
     WHERE d.domain = p_domain AND t.deleted_at IS NULL;
  END IF;
END
$$;
