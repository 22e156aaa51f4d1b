-- Returns these tenants' entries that are not in a chain, tenant by tenant, the oldest first. Each entry is looked up
-- by its key, whatever the statistics are: a plan made while the log was small would read all of it.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_find_unsealed(p_tenants text[], p_limit integer) RETURNS SETOF audit_entries LANGUAGE plpgsql :nested_loops_only AS $$
BEGIN
  RETURN QUERY
  SELECT e.* FROM (
    SELECT unsealed.tenant_id, unsealed.id FROM unnest(p_tenants) AS input (tenant_id)
     CROSS JOIN LATERAL (
       SELECT u.tenant_id, u.id FROM audit_unsealed u
        WHERE u.tenant_id = input.tenant_id ORDER BY u.id LIMIT p_limit
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
