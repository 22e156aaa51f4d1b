-- Finds the sessions of non-rotating refresh tokens, many in one statement, and changes nothing. Per element:
--   current    the token is the current one of its active session
--   other      the session is active, but this is not its token: forged, or rotated before the client had fixed ones
--   ended      this client has no such active session, or the parent session is over
--   stale      the version of the client differs from p_client_versions, or the client is not active
-- p_metadata: whether to read the metadata of the user, and when they were last changed. IS NOT DISTINCT FROM: an
-- index on clients would lead to all of their sessions. README.md explains the order of the joins.
-- caller: reading
-- null: metadata
-- when outcome 'current': user_id, access_version, workspace_id, auth_time, acr, amr
-- type outcome: 'current' | 'other' | 'ended' | 'stale'
-- type metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number }
CREATE OR REPLACE FUNCTION kw_find_fixed_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_now timestamptz[], p_clients text[],
  p_client_versions integer[], p_metadata boolean[]
) RETURNS TABLE (
  outcome text, :session_claims, metadata json
) LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_setting text;
  v_active text[];
BEGIN
  -- An assignment runs no separate statement, unlike PERFORM.
  v_setting := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_setting := set_config('role', 'keywright_tenant', true);
  RETURN QUERY
  SELECT state.outcome, s.user_id, s.access_version, s.workspace_id, coalesce(may.roles, '{}'),
         coalesce(may.scopes, '{}'), coalesce(profile.identifiers, '[]'),
         CASE WHEN s.status_version = s.access_version THEN s.status_idx END, s.auth_time, s.acr, s.amr,
         CASE WHEN input.metadata AND state.outcome = 'current' THEN (
           SELECT json_build_object('metadata', u.metadata, 'user_metadata', u.user_metadata,
                                    'name', u.name, 'picture', u.picture,
                                    'updated_at', floor(extract(epoch FROM coalesce(u.updated_at, u.created_at))))
             FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = s.user_id) END
    FROM unnest(p_tenants, p_sessions, p_presented, p_now, p_clients, p_client_versions, p_metadata)
         WITH ORDINALITY AS input (tenant_id, id, presented, now, client_id, client_version, metadata, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT o.is_active AND o.version = input.client_version AS is_current
        FROM oauth_clients o WHERE o.tenant_id = entered.tenant_id AND o.id = input.client_id LIMIT 1
    ) AS c ON true
    LEFT JOIN LATERAL (
      SELECT * FROM sessions
       WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.id
         AND sessions.kind = 'client' AND sessions.client_id IS NOT DISTINCT FROM input.client_id
       LIMIT 1
    ) AS s ON true
    LEFT JOIN LATERAL (
      SELECT sessions.is_active AND sessions.expires_at > input.now AS is_alive FROM sessions
       WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = s.parent_id LIMIT 1
    ) AS p ON s.parent_id IS NOT NULL
   CROSS JOIN LATERAL (SELECT CASE
           WHEN input.tenant_id <> ALL (v_active) THEN 'ended'
           WHEN c.is_current IS NOT TRUE THEN 'stale'
           WHEN s.id IS NULL OR NOT s.is_active OR s.expires_at <= input.now THEN 'ended'
           WHEN s.parent_id IS NOT NULL AND p.is_alive IS NOT TRUE THEN 'ended'
           WHEN s.refresh_hash = input.presented THEN 'current'
           ELSE 'other'
         END AS outcome) AS state
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, s.user_id) AS may ON state.outcome = 'current'
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object(
               'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position) AS identifiers
        FROM user_identifiers i WHERE i.tenant_id = entered.tenant_id AND i.user_id = s.user_id
    ) AS profile ON state.outcome = 'current'
   ORDER BY input.n;
END
$$;
