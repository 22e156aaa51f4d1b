-- What sealing asks each second read every entry of the log of a tenant: while it was planned the log was thought to be
-- small. Each entry is looked up by its key now, in the order that 0011 explains, whatever the planner knows of the tables.

-- Tenants that have entries outside their chain, a few hops through the index for each.
CREATE FUNCTION kw_tenants_to_seal() RETURNS SETOF text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off AS $$
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

-- Entries of these tenants that are in no chain, tenant by tenant, the oldest of each first.
CREATE FUNCTION kw_find_unsealed(p_tenants text[], p_limit integer) RETURNS SETOF audit_entries LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off AS $$
BEGIN
  RETURN QUERY
  SELECT e.* FROM (
    SELECT unsealed.tenant_id, unsealed.id FROM unnest(p_tenants) AS asked (tenant_id)
     CROSS JOIN LATERAL (
       SELECT u.tenant_id, u.id FROM audit_unsealed u
        WHERE u.tenant_id = asked.tenant_id ORDER BY u.id LIMIT p_limit
     ) AS unsealed
     ORDER BY unsealed.tenant_id, unsealed.id LIMIT p_limit
  ) AS oldest
  CROSS JOIN LATERAL (
    SELECT * FROM audit_entries
     WHERE audit_entries.tenant_id = oldest.tenant_id AND audit_entries.id = oldest.id LIMIT 1
  ) AS e
  ORDER BY e.tenant_id, e.id;
END
$$;
