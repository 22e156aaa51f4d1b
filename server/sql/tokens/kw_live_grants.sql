-- Returns which of these grants are active and still have the version of the access tokens issued under them: one '1'
-- or '0' each, in order. A grant is a session, an API key, a delegation, an agent itself, or the tenant, as its ID
-- shows. A key with a negative version only needs to be valid. Sessions are looked up together; 'o' marks grants of
-- other kinds, which are looked up separately. If all belong to one tenant, the usual case, it is entered once.
-- README.md explains the order of the joins.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_live_grants(
  p_tenants text[], p_grants text[], p_versions integer[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  -- An assignment runs no separate statement, unlike PERFORM.
  v_role text := set_config('role', 'keywright_tenant', true);
  v_tenant text;
  v_alive boolean;
  v_answer text;
BEGIN
  IF p_tenants[1] = ALL (p_tenants) THEN
    v_tenant := set_config('keywright.tenant_id', p_tenants[1], true);
    SELECT string_agg(CASE
             WHEN t.tenant_id IS NULL THEN '0'
             WHEN s.is_active AND s.access_version = input.version THEN '1'
             WHEN starts_with(input.id, 'session:') THEN '0'
             ELSE 'o' END, '' ORDER BY input.n)
      INTO v_answer
      FROM unnest(p_grants, p_versions) WITH ORDINALITY AS input (id, version, n)
      LEFT JOIN LATERAL (
        SELECT is_active, access_version FROM sessions
         WHERE sessions.tenant_id = v_tenant AND sessions.id = input.id LIMIT 1
      ) AS s ON true
     CROSS JOIN (SELECT (
        SELECT tenant_id FROM tenants
         WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at IS NULL) AS tenant_id) AS t;
  ELSE
    SELECT string_agg(CASE
             WHEN t.tenant_id IS NULL THEN '0'
             WHEN s.is_active AND s.access_version = input.version THEN '1'
             WHEN starts_with(input.id, 'session:') THEN '0'
             ELSE 'o' END, '' ORDER BY input.n)
      INTO v_answer
      FROM unnest(p_tenants, p_grants, p_versions) WITH ORDINALITY AS input (tenant_id, id, version, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT tenants.tenant_id FROM tenants
         WHERE tenants.tenant_id = entered.tenant_id AND is_active AND deleted_at IS NULL LIMIT 1
      ) AS t ON true
      LEFT JOIN LATERAL (
        SELECT is_active, access_version FROM sessions
         WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.id LIMIT 1
      ) AS s ON true;
  END IF;
  IF strpos(v_answer, 'o') > 0 THEN
    FOR i IN 1 .. cardinality(p_grants) LOOP
      CONTINUE WHEN substr(v_answer, i, 1) <> 'o';
      v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
      v_alive := false;
      IF starts_with(p_grants[i], 'key_') THEN
        SELECT kw_is_usable(k.revoked_at, k.expires_at, p_now)
           AND a.is_active AND (p_versions[i] < 0 OR a.access_version = p_versions[i]) INTO v_alive
          FROM api_keys k
          JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
         WHERE k.tenant_id = v_tenant AND k.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'dlg_') THEN
        SELECT kw_is_usable(d.revoked_at, d.expires_at, p_now) AND d.access_version = p_versions[i]
           AND a.is_active AND u.is_active INTO v_alive
          FROM delegations d
          JOIN agents a ON a.tenant_id = d.tenant_id AND a.id = d.agent_id
          JOIN users u ON u.tenant_id = d.tenant_id AND u.id = d.user_id
         WHERE d.tenant_id = v_tenant AND d.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'service:') THEN
        SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive
          FROM agents a WHERE a.tenant_id = v_tenant AND a.id = p_grants[i];
      ELSIF p_grants[i] = v_tenant THEN
        SELECT t.access_version = p_versions[i] INTO v_alive FROM tenants t WHERE t.tenant_id = v_tenant;
      END IF;
      v_answer := overlay(v_answer PLACING CASE WHEN v_alive THEN '1' ELSE '0' END FROM i);
    END LOOP;
  END IF;
  RETURN coalesce(v_answer, '');
END
$$;
