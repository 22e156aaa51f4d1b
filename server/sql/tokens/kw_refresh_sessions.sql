-- Trades refresh tokens for their successors, many sessions in one commit. The elements come sorted by
-- tenant and session, so that two of these never deadlock. Per element:
--   rotated    the token was the current one; its successor is now
--   repeated   the token was traded less than the retry window ago and its successor is still unused:
--              the stored fields say how that successor was minted
--   other      the session is alive, but this is not a token it would take: forged or reused
--   ended      there is no such living session of this client, or the session that it ends with is over
--   stale      the client has another version than p_client_versions, or is not active: nothing has changed
-- p_kids: the keys that sign the successors; NULL for opaque ones.
-- p_clients, p_client_versions: NULL for a direct login. p_metadata: whether the metadata of the user is read, and when they were last changed.
-- README.md explains the order of the joins.
-- caller: writing
-- null: p_clients, p_client_versions, p_kids, kid, metadata
-- when outcome 'rotated' | 'repeated' | 'other': hash, issued_at, expires_at, user_id, access_version, workspace_id, auth_time, acr, amr
-- type outcome: 'rotated' | 'repeated' | 'other' | 'ended' | 'stale'
-- type metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number }
CREATE OR REPLACE FUNCTION kw_refresh_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[], p_clients text[],
  p_client_versions integer[], p_metadata boolean[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, :session_claims, metadata json
) LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_setting text;
  v_active text[];
  v_tenant text;
  -- 'other': the state of the session determines the outcome.
  v_outcomes text[] := array_fill('other'::text, ARRAY[cardinality(p_tenants)]);
BEGIN
  -- An assignment runs no separate statement, unlike PERFORM.
  v_setting := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_setting := set_config('role', 'keywright_tenant', true);
  -- One comparison for all elements: starting a statement costs more than processing a row. Direct logins have nothing
  -- to compare.
  IF cardinality(array_remove(p_clients, NULL)) > 0 THEN
    -- Ending a parent ends its children, so this covers parents that expired or were deleted. No lock: a parent that
    -- ends after this read also ends this session.
    SELECT array_agg(CASE WHEN input.client_id IS NULL OR input.tenant_id <> ALL (v_active) THEN 'other'
                          WHEN c.is_current IS NOT TRUE THEN 'stale'
                          WHEN s.parent_id IS NOT NULL AND p.is_alive IS NOT TRUE THEN 'ended'
                          ELSE 'other' END ORDER BY input.n) INTO v_outcomes
      FROM unnest(p_tenants, p_sessions, p_issued_at, p_clients, p_client_versions) WITH ORDINALITY
           AS input (tenant_id, id, issued_at, client_id, client_version, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT o.is_active AND o.version = input.client_version AS is_current
          FROM oauth_clients o WHERE o.tenant_id = entered.tenant_id AND o.id = input.client_id LIMIT 1
      ) AS c ON true
      LEFT JOIN LATERAL (
        SELECT sessions.parent_id FROM sessions
         WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.id LIMIT 1
      ) AS s ON c.is_current
      LEFT JOIN LATERAL (
        SELECT sessions.is_active AND sessions.expires_at > input.issued_at AS is_alive FROM sessions
         WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = s.parent_id LIMIT 1
      ) AS p ON s.parent_id IS NOT NULL;
  END IF;
  -- One row at a time: an UPDATE of many rows can start with either side of its join, and then see only one tenant, or
  -- read all of it.
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    CONTINUE WHEN v_outcomes[i] <> 'other';
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE sessions s SET
        refresh_hash = p_next[i], previous_refresh_hash = p_presented[i], refresh_kid = p_kids[i],
        refresh_issued_at = p_issued_at[i], expires_at = p_expires_at[i], generation = s.generation + 1
      WHERE s.tenant_id = v_tenant AND s.id = p_sessions[i] AND s.is_active
        AND s.kind <> 'browser' AND s.client_id IS NOT DISTINCT FROM p_clients[i]
        AND s.refresh_hash = p_presented[i] AND s.expires_at > p_issued_at[i]
        AND v_tenant = ANY (v_active);
    IF FOUND THEN
      v_outcomes[i] := 'rotated';
    END IF;
  END LOOP;
  -- A separate statement: a change of permissions updates the session last, so that a read under the session's lock
  -- matches its version.
  RETURN QUERY
  SELECT state.outcome, s.refresh_kid, s.refresh_hash, s.refresh_issued_at, s.expires_at, s.user_id,
         s.access_version, s.workspace_id, coalesce(may.roles, '{}'), coalesce(may.scopes, '{}'),
         coalesce(profile.identifiers, '[]'), CASE WHEN s.status_version = s.access_version THEN s.status_idx END,
         s.auth_time, s.acr, s.amr,
         CASE WHEN input.metadata AND state.outcome IN ('rotated', 'repeated') THEN (
           SELECT json_build_object('metadata', u.metadata, 'user_metadata', u.user_metadata,
                                    'name', u.name, 'picture', u.picture,
                                    'updated_at', floor(extract(epoch FROM coalesce(u.updated_at, u.created_at))))
             FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = s.user_id) END
    FROM unnest(p_tenants, p_sessions, p_presented, p_issued_at, p_retry_seconds, p_clients, p_metadata, v_outcomes)
         WITH ORDINALITY AS input (tenant_id, id, presented, issued_at, retry_seconds, client_id, metadata, outcome, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT * FROM sessions
       WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.id
         AND sessions.kind <> 'browser' AND sessions.client_id IS NOT DISTINCT FROM input.client_id
       LIMIT 1
    ) AS s ON true
   CROSS JOIN LATERAL (SELECT CASE
           WHEN input.outcome <> 'other' THEN input.outcome
           WHEN s.id IS NULL OR NOT s.is_active OR s.expires_at <= input.issued_at
             OR input.tenant_id <> ALL (v_active)
           THEN 'ended'
           WHEN s.previous_refresh_hash = input.presented
            AND s.refresh_issued_at > input.issued_at - make_interval(secs => input.retry_seconds)
           THEN 'repeated'
           ELSE 'other'
         END AS outcome) AS state
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, s.user_id) AS may ON state.outcome IN ('rotated', 'repeated')
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object(
               'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position) AS identifiers
        FROM user_identifiers i WHERE i.tenant_id = entered.tenant_id AND i.user_id = s.user_id
    ) AS profile ON state.outcome IN ('rotated', 'repeated')
   ORDER BY input.n;
END
$$;
