-- What is asked of many tenants at once is one statement, however many tenants they are of: it costs the same with
-- ten thousand tenants as with one. Row-level security still shows one tenant at a time. Each row that is asked for
-- enters its own tenant, and the join behind it needs the tenant that was entered, so that it comes later:
--
--      FROM unnest(…) AS asked
--     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
--      LEFT JOIN LATERAL (SELECT … WHERE tenant_id = entered.tenant_id AND id = asked.id LIMIT 1) ON true
--
-- An outer join can't be turned round while only nested loops are allowed, which these functions see to. In any other
-- order nothing would be seen, never something of somebody else's. LIMIT keeps each look-up a query of its own, which
-- goes by the whole key: a plan of the join as such may take the tenant's policy for all that the index is asked.

DROP FUNCTION kw_rotate_sessions;
DROP FUNCTION kw_rotate_sessions_singly;
DROP FUNCTION kw_rotate_sessions_together;
DROP FUNCTION kw_subjects_of;

-- Trades refresh tokens for their successors, many sessions in one commit. The elements come sorted by
-- tenant and session, so that two of these never wait for each other in a circle. Per element:
--   rotated    the token was the current one; its successor is now
--   repeated   the token was traded less than the retry window ago and its successor is still unused:
--              the stored fields say how that successor was minted
--   other      the session is alive, but this is not a token it would take: forged or reused
--   ended      there is no such living session
-- status_idx is NULL when the session has no bit of its present version.
CREATE FUNCTION kw_rotate_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, user_id text,
  access_version integer, workspace_id text, roles text[], scopes text[], identifiers json,
  status_idx bigint
) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off AS $$
DECLARE
  v_role text;
  v_active text[];
  v_tenant text;
  v_asked record;
  v_rotated boolean[] := '{}';
BEGIN
  -- Assigned, not performed: that takes no statement.
  v_role := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_role := set_config('role', 'keywright_tenant', true);
  -- One by one: an UPDATE of many may begin with any side of its join.
  FOR v_asked IN
    SELECT * FROM unnest(p_tenants, p_sessions, p_presented, p_next, p_kids, p_issued_at, p_expires_at)
      AS asked (tenant_id, id, presented, next, kid, issued_at, expires_at)
  LOOP
    v_tenant := set_config('keywright.tenant_id', v_asked.tenant_id, true);
    UPDATE sessions s SET
        refresh_hash = v_asked.next, previous_refresh_hash = v_asked.presented, refresh_kid = v_asked.kid,
        refresh_issued_at = v_asked.issued_at, expires_at = v_asked.expires_at, generation = s.generation + 1
      WHERE s.tenant_id = v_tenant AND s.id = v_asked.id AND s.is_active
        AND s.refresh_hash = v_asked.presented AND s.expires_at > v_asked.issued_at
        AND v_tenant = ANY (v_active);
    v_rotated := v_rotated || FOUND;
  END LOOP;
  -- A statement of its own: whoever takes permissions away outdates the session behind that, so that what is
  -- read once it is ours goes with its version.
  RETURN QUERY
  SELECT state.outcome, s.refresh_kid, s.refresh_hash, s.refresh_issued_at, s.expires_at, s.user_id,
         s.access_version, s.workspace_id, coalesce(may.roles, '{}'), coalesce(may.scopes, '{}'),
         coalesce(known.identifiers, '[]'), CASE WHEN s.status_version = s.access_version THEN s.status_idx END
    FROM unnest(p_tenants, p_sessions, p_presented, p_issued_at, p_retry_seconds, v_rotated)
         WITH ORDINALITY AS asked (tenant_id, id, presented, issued_at, retry_seconds, rotated, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT * FROM sessions WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = asked.id LIMIT 1
    ) AS s ON true
   CROSS JOIN LATERAL (SELECT CASE
           WHEN asked.rotated THEN 'rotated'
           WHEN s.id IS NULL OR NOT s.is_active OR s.expires_at <= asked.issued_at
             OR asked.tenant_id <> ALL (v_active)
           THEN 'ended'
           WHEN s.previous_refresh_hash = asked.presented
            AND s.refresh_issued_at > asked.issued_at - make_interval(secs => asked.retry_seconds)
           THEN 'repeated'
           ELSE 'other'
         END AS outcome) AS state
    LEFT JOIN LATERAL (
      SELECT array_agg(DISTINCT held.role) AS roles,
             array_agg(DISTINCT scope) FILTER (WHERE scope IS NOT NULL) AS scopes
        FROM user_roles held
        LEFT JOIN LATERAL (
          SELECT roles.scopes FROM roles
           WHERE roles.tenant_id = entered.tenant_id AND roles.name = held.role LIMIT 1
        ) AS r ON true
        LEFT JOIN LATERAL unnest(r.scopes) AS scope ON true
       WHERE held.tenant_id = entered.tenant_id AND held.user_id = s.user_id
    ) AS may ON state.outcome IN ('rotated', 'repeated')
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object(
               'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position) AS identifiers
        FROM user_identifiers i WHERE i.tenant_id = entered.tenant_id AND i.user_id = s.user_id
    ) AS known ON state.outcome IN ('rotated', 'repeated')
   ORDER BY asked.n;
END
$$;

-- Which of these grants are alive and still give what their tokens say: one '1' or '0' each, in their order. Sessions
-- that come one behind the other are asked for together.
CREATE OR REPLACE FUNCTION kw_live_grants(
  p_tenants text[], p_grants text[], p_versions integer[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off AS $$
DECLARE
  v_role text;
  v_active text[];
  v_tenant text;
  v_last integer;
  i integer := 1;
  v_tenants text[];
  v_grants text[];
  v_versions integer[];
  v_alive boolean;
  v_run text;
  v_answer text := '';
BEGIN
  -- Assigned, not performed: that takes no statement.
  v_role := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_role := set_config('role', 'keywright_tenant', true);
  WHILE i <= cardinality(p_tenants) LOOP
    v_last := i;
    IF starts_with(p_grants[i], 'session:') THEN
      WHILE v_last < cardinality(p_tenants) AND starts_with(p_grants[v_last + 1], 'session:') LOOP
        v_last := v_last + 1;
      END LOOP;
      v_tenants := p_tenants[i : v_last];
      v_grants := p_grants[i : v_last];
      v_versions := p_versions[i : v_last];
      SELECT string_agg(CASE
               WHEN s.is_active AND s.access_version = asked.version AND asked.tenant_id = ANY (v_active)
               THEN '1' ELSE '0' END, '' ORDER BY asked.n)
        INTO v_run
        FROM unnest(v_tenants, v_grants, v_versions) WITH ORDINALITY AS asked (tenant_id, id, version, n)
       CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
        LEFT JOIN LATERAL (
          SELECT is_active, access_version FROM sessions
           WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = asked.id LIMIT 1
        ) AS s ON true;
    ELSE
      v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
      v_alive := false;
      IF v_tenant <> ALL (v_active) THEN
        NULL;
      ELSIF starts_with(p_grants[i], 'key_') THEN
        SELECT k.revoked_at IS NULL AND k.expires_at > p_now
           AND a.is_active AND (p_versions[i] < 0 OR a.access_version = p_versions[i]) INTO v_alive
          FROM api_keys k
          JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
         WHERE k.tenant_id = v_tenant AND k.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'dlg_') THEN
        SELECT d.revoked_at IS NULL AND d.expires_at > p_now AND d.access_version = p_versions[i]
           AND a.is_active AND u.is_active INTO v_alive
          FROM delegations d
          JOIN agents a ON a.tenant_id = d.tenant_id AND a.id = d.agent_id
          JOIN users u ON u.tenant_id = d.tenant_id AND u.id = d.user_id
         WHERE d.tenant_id = v_tenant AND d.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'service:') THEN
        SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive
          FROM agents a WHERE a.tenant_id = v_tenant AND a.id = p_grants[i];
      END IF;
      v_run := CASE WHEN v_alive THEN '1' ELSE '0' END;
    END IF;
    v_answer := v_answer || v_run;
    i := v_last + 1;
  END LOOP;
  RETURN v_answer;
END
$$;

DROP FUNCTION kw_find_api_keys;

-- Which version there is of each of these keys and its agent, each followed by a comma, in their order; nothing
-- of a key that is not good at this moment. Which of the tenants are active is asked at once.
CREATE FUNCTION kw_find_api_keys(p_tenants text[], p_hashes bytea[], p_now timestamptz)
RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off AS $$
DECLARE
  v_role text;
  v_active text[];
  v_answer text;
BEGIN
  v_role := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_role := set_config('role', 'keywright_tenant', true);
  SELECT string_agg(CASE
           WHEN k.agent_version IS NULL OR asked.tenant_id <> ALL (v_active) THEN ','
           WHEN k.successor_id IS NULL THEN k.agent_version || ','
           ELSE k.agent_version || 'r,' END, '' ORDER BY asked.n)
    INTO v_answer
    FROM unnest(p_tenants, p_hashes) WITH ORDINALITY AS asked (tenant_id, hash, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT agent_version, successor_id FROM api_keys
       WHERE api_keys.tenant_id = entered.tenant_id AND secret_hash = asked.hash
         AND revoked_at IS NULL AND expires_at > p_now AND agent_is_active LIMIT 1
    ) AS k ON true;
  RETURN v_answer;
END
$$;
