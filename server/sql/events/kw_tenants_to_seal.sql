-- Tenants with entries outside their chain, found by skipping through the index. Polled every second: each is looked up
-- by its key, whatever the statistics are.
-- caller: transaction
-- type answer: TenantId
CREATE OR REPLACE FUNCTION kw_tenants_to_seal() RETURNS SETOF text LANGUAGE plpgsql :nested_loops_only AS $$
BEGIN
  RETURN QUERY
  WITH RECURSIVE found AS (
    (SELECT u.tenant_id FROM audit_unsealed u ORDER BY u.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT u.tenant_id FROM audit_unsealed u
             WHERE u.tenant_id > found.tenant_id ORDER BY u.tenant_id LIMIT 1)
      FROM found WHERE found.tenant_id IS NOT NULL
  )
  SELECT there.tenant_id FROM found CROSS JOIN LATERAL (
    SELECT t.tenant_id FROM tenants t
     WHERE t.tenant_id = found.tenant_id AND t.deleted_at IS NULL LIMIT 1) AS there;
END
$$;
