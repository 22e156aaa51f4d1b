-- Returns the versions of these keys and their agents, each followed by a comma, in order; empty for a key that is not
-- currently valid. README.md explains the order of the joins.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_find_api_keys(p_tenants text[], p_hashes bytea[], p_now timestamptz)
RETURNS text LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
  v_tenant text;
  v_answer text;
BEGIN
  IF p_tenants[1] = ALL (p_tenants) THEN
    v_tenant := set_config('keywright.tenant_id', p_tenants[1], true);
    SELECT string_agg(CASE
             WHEN t.tenant_id IS NULL OR k.agent_version IS NULL THEN ','
             WHEN k.successor_id IS NULL THEN k.agent_version || ','
             ELSE k.agent_version || 'r,' END, '' ORDER BY input.n)
      INTO v_answer
      FROM unnest(p_hashes) WITH ORDINALITY AS input (hash, n)
      LEFT JOIN LATERAL (
        SELECT agent_version, successor_id FROM api_keys
         WHERE api_keys.tenant_id = v_tenant AND secret_hash = input.hash
           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active LIMIT 1
      ) AS k ON true
     CROSS JOIN (SELECT (
        SELECT tenant_id FROM tenants
         WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at IS NULL) AS tenant_id) AS t;
  ELSE
    SELECT string_agg(CASE
             WHEN t.tenant_id IS NULL OR k.agent_version IS NULL THEN ','
             WHEN k.successor_id IS NULL THEN k.agent_version || ','
             ELSE k.agent_version || 'r,' END, '' ORDER BY input.n)
      INTO v_answer
      FROM unnest(p_tenants, p_hashes) WITH ORDINALITY AS input (tenant_id, hash, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT tenants.tenant_id FROM tenants
         WHERE tenants.tenant_id = entered.tenant_id AND is_active AND deleted_at IS NULL LIMIT 1
      ) AS t ON true
      LEFT JOIN LATERAL (
        SELECT agent_version, successor_id FROM api_keys
         WHERE api_keys.tenant_id = entered.tenant_id AND secret_hash = input.hash
           AND kw_is_usable(revoked_at, expires_at, p_now) AND agent_is_active LIMIT 1
      ) AS k ON true;
  END IF;
  RETURN v_answer;
END
$$;
