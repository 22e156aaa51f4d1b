-- Opens the client session of each code, once per code: the unique index on code_hash decides. The browser session
-- that the code was issued in must be active, its user active, and the consent not revoked since. p_logins: that
-- browser session. p_parents: the same if the session ends with it, otherwise null. stale: the version of the client
-- differs from p_client_versions, or the client is not active; the code can still be used. p_metadata: whether to read
-- the metadata of the user, and when they were last changed. The elements must be sorted by tenant, user and code.
-- queued: the queued deliveries of all sessions of a tenant, in the row of one of them. p_scopes, p_userinfo_claims:
-- joined by spaces. p_entries, p_events: a line for each code, each a JSON array as kw_record takes it.
-- README.md explains the order of the joins and of the locks.
-- caller: writing
-- null: queued, metadata, p_parents, p_user_agents, p_userinfo_claims
-- when outcome 'opened': auth_time, acr, amr
-- type outcome: 'opened' | 'used' | 'refused' | 'stale'
-- type acr: Acr
-- type identifiers: IdentifierRecord[]
-- type metadata: Record<"metadata" | "user_metadata", Record<string, unknown>> & { readonly name: string | null; readonly picture: string | null; readonly updated_at: number }
-- type queued: string[]
CREATE OR REPLACE FUNCTION kw_open_client_sessions(
  p_tenants text[], p_sessions text[], p_clients text[], p_users text[], p_workspaces text[], p_logins text[],
  p_parents text[], p_consents text[], p_consent_versions integer[], p_code_hashes bytea[], p_scopes text[],
  p_user_agents text[], p_ip_addresses text[], p_now timestamptz[], p_expires_at timestamptz[], p_ends_at timestamptz[],
  p_refresh_hashes bytea[], p_status_indexes bigint[], p_entries text, p_events text,
  p_userinfo_claims text[], p_client_versions integer[], p_metadata boolean[]
) RETURNS TABLE (
  outcome text, roles text[], scopes text[], identifiers json, auth_time timestamptz, acr text, amr text[], metadata json,
  queued json
) LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_count integer := cardinality(p_tenants);
  v_setting text;
  v_tenant text;
  v_active text[];
  v_outcomes text[];
  v_queued json[] := array_fill(NULL::json, ARRAY[v_count]);
  v_opened text[];
  -- Lines are faster to send than arrays, in which each quotation mark is escaped.
  v_all_entries text[] := string_to_array(p_entries, E'\n');
  v_all_events text[] := string_to_array(p_events, E'\n');
  v_entries text[];
  v_events text[];
BEGIN
  v_setting := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_setting := set_config('role', 'keywright_tenant', true);
  -- One statement for each kind of row, not for each row: starting a statement costs more than processing a row.
  -- FOR SHARE, here and below: a transaction that ends what the session depends on either waits for this one and also
  -- ends the session, or has already committed and is seen.
  SELECT array_agg(CASE WHEN u.is_there THEN 'opened' ELSE 'refused' END ORDER BY input.n) INTO v_outcomes
    FROM unnest(p_tenants, p_users) WITH ORDINALITY AS input (tenant_id, user_id, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT true AS is_there FROM users
       WHERE users.tenant_id = entered.tenant_id AND users.id = input.user_id AND users.is_active
         AND entered.tenant_id = ANY (v_active)
       LIMIT 1 FOR SHARE
    ) AS u ON true;
  PERFORM FROM unnest(p_tenants, p_users, v_outcomes) AS input (tenant_id, user_id, outcome)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
   CROSS JOIN LATERAL (
      SELECT FROM user_roles assigned JOIN roles ON roles.tenant_id = assigned.tenant_id AND roles.name = assigned.role
       WHERE assigned.tenant_id = entered.tenant_id AND assigned.user_id = input.user_id AND NOT roles.is_builtin
         FOR SHARE OF roles
    ) AS r
   WHERE input.outcome = 'opened';
  SELECT array_agg(CASE WHEN w.is_there THEN input.outcome ELSE 'refused' END ORDER BY input.n) INTO v_outcomes
    FROM unnest(p_tenants, p_workspaces, v_outcomes) WITH ORDINALITY AS input (tenant_id, workspace_id, outcome, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT true AS is_there FROM workspaces
       WHERE workspaces.tenant_id = entered.tenant_id AND workspaces.id = input.workspace_id
         AND input.outcome = 'opened'
       LIMIT 1 FOR KEY SHARE
    ) AS w ON true;
  SELECT array_agg(CASE WHEN c.is_current THEN 'opened' WHEN NOT c.is_current THEN 'stale' ELSE 'refused' END
                   ORDER BY input.n) INTO v_outcomes
    FROM unnest(p_tenants, p_users, p_clients, p_client_versions, p_consents, p_consent_versions, v_outcomes)
         WITH ORDINALITY
         AS input (tenant_id, user_id, client_id, client_version, consent_id, consent_version, outcome, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT o.is_active AND o.version = input.client_version AS is_current
        FROM consents JOIN oauth_clients o ON o.tenant_id = consents.tenant_id AND o.id = consents.client_id
       WHERE consents.tenant_id = entered.tenant_id AND consents.id = input.consent_id
         AND consents.version = input.consent_version AND consents.user_id = input.user_id
         AND consents.client_id = input.client_id AND consents.revoked_at IS NULL
         AND input.outcome = 'opened'
       LIMIT 1 FOR SHARE OF consents
    ) AS c ON true;
  SELECT array_agg(CASE WHEN s.is_there OR input.outcome = 'stale' THEN input.outcome ELSE 'refused' END
                   ORDER BY input.n) INTO v_outcomes
    FROM (
      SELECT * FROM unnest(p_tenants, p_users, p_workspaces, p_logins, p_now, v_outcomes) WITH ORDINALITY
             AS sorted (tenant_id, user_id, workspace_id, login_id, now, outcome, n)
       ORDER BY tenant_id, login_id
    ) AS input
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT true AS is_there FROM sessions
       WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.login_id AND sessions.kind = 'browser'
         AND sessions.is_active AND sessions.user_id = input.user_id AND sessions.workspace_id = input.workspace_id
         AND sessions.expires_at > input.now AND input.outcome = 'opened'
       LIMIT 1 FOR SHARE
    ) AS s ON true;
  WITH opened AS (
    INSERT INTO sessions (
      tenant_id, id, user_id, workspace_id, kind, client_id, parent_id, scopes, auth_time, acr, amr, user_agent,
      ip_address, created_at, expires_at, absolute_expires_at, refresh_hash, refresh_issued_at,
      status_idx, status_version, code_hash, userinfo_claims, provider_id, login_id
    )
    SELECT entered.tenant_id, input.id, s.user_id, s.workspace_id, 'client', input.client_id, input.parent_id,
           string_to_array(input.scopes, ' '), s.auth_time, s.acr, s.amr, input.user_agent, input.ip_address,
           input.now, input.expires_at, input.ends_at, input.refresh_hash, input.now,
           input.status_index, 0, input.code_hash, string_to_array(input.userinfo_claims, ' '), s.provider_id,
           input.login_id
      FROM unnest(p_tenants, p_sessions, p_clients, p_parents, p_logins, p_scopes, p_user_agents, p_ip_addresses, p_now,
                  p_expires_at, p_ends_at, p_refresh_hashes, p_status_indexes, p_code_hashes,
                  p_userinfo_claims, v_outcomes)
           AS input (tenant_id, id, client_id, parent_id, login_id, scopes, user_agent, ip_address, now,
                     expires_at, ends_at, refresh_hash, status_index, code_hash, userinfo_claims, outcome)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
     CROSS JOIN LATERAL (
       SELECT * FROM sessions WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.login_id LIMIT 1
     ) AS s
     WHERE input.outcome = 'opened'
    ON CONFLICT (tenant_id, code_hash) WHERE code_hash IS NOT NULL DO NOTHING
    RETURNING id
  )
  SELECT array_agg(id) INTO v_opened FROM opened;
  FOR i IN 1 .. v_count LOOP
    IF p_sessions[i] = ANY (v_opened) THEN
      v_entries := v_entries || v_all_entries[i];
      v_events := v_events || v_all_events[i];
    ELSIF v_outcomes[i] = 'opened' THEN
      v_outcomes[i] := 'used';
    END IF;
    IF v_entries IS NOT NULL AND (i = v_count OR p_tenants[i + 1] <> p_tenants[i]) THEN
      v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
      -- Parsed once: appending one list at a time would copy the result each time.
      v_queued[i] := to_json(kw_record(
        v_tenant, jsonb_path_query_array(('[' || array_to_string(v_entries, ',') || ']')::jsonb, '$[*][*]'),
        jsonb_path_query_array(('[' || array_to_string(v_events, ',') || ']')::jsonb, '$[*][*]')));
      v_entries := NULL;
      v_events := NULL;
    END IF;
  END LOOP;
  RETURN QUERY
  SELECT input.outcome, coalesce(may.roles, '{}'), coalesce(may.scopes, '{}'), coalesce(profile.identifiers, '[]'),
         opened.auth_time, opened.acr, opened.amr,
         CASE WHEN input.metadata AND input.outcome = 'opened' THEN (
           SELECT json_build_object('metadata', u.metadata, 'user_metadata', u.user_metadata,
                                    'name', u.name, 'picture', u.picture,
                                    'updated_at', floor(extract(epoch FROM coalesce(u.updated_at, u.created_at))))
             FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = input.user_id) END,
         input.queued
    FROM unnest(p_tenants, p_users, p_sessions, p_metadata, v_outcomes, v_queued)
         WITH ORDINALITY AS input (tenant_id, user_id, session_id, metadata, outcome, queued, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT s.auth_time, s.acr, s.amr FROM sessions s
       WHERE s.tenant_id = entered.tenant_id AND s.id = input.session_id LIMIT 1
    ) AS opened ON input.outcome = 'opened'
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, input.user_id) AS may ON input.outcome = 'opened'
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object(
               'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position) AS identifiers
        FROM user_identifiers i WHERE i.tenant_id = entered.tenant_id AND i.user_id = input.user_id
    ) AS profile ON input.outcome = 'opened'
   ORDER BY input.n;
END
$$;
