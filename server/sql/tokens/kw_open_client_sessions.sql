-- Opens the session of a client for each code, once per code: the unique index on code_hash decides. The browser session
-- that the code was issued in must be alive, its user active, and the consent not revoked since. p_logins: that browser
-- session; p_parents: the same where the session ends with it, null where it does not. stale: the client has another
-- version than p_client_versions, or is not active; the code can still be used. p_metadata: whether the metadata of the
-- user is read. The elements come sorted by
-- tenant, user and code. queued: the queued deliveries of all of a tenant, with one of them. p_scopes, p_userinfo_claims: joined by spaces.
-- README.md explains the order of the joins and of the locks.
-- caller: writing
-- null: queued, metadata, p_parents, p_user_agents, p_userinfo_claims, p_client_versions
-- when outcome 'opened': auth_time, acr, amr
-- type outcome: 'opened' | 'used' | 'refused' | 'stale'
-- type acr: Acr
-- type identifiers: IdentifierRecord[]
-- type metadata: Record<"metadata" | "user_metadata", Record<string, unknown>>
-- type queued: string[]
CREATE OR REPLACE FUNCTION kw_open_client_sessions(
  p_tenants text[], p_sessions text[], p_clients text[], p_users text[], p_workspaces text[], p_logins text[],
  p_parents text[], p_consents text[], p_consent_versions integer[], p_code_hashes bytea[], p_scopes text[],
  p_user_agents text[], p_ip_addresses text[], p_now timestamptz[], p_expires_at timestamptz[], p_ends_at timestamptz[],
  p_refresh_hashes bytea[], p_refresh_kids text[], p_status_indexes bigint[], p_entries text[], p_events text[],
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
  v_outcomes text[] := array_fill('refused'::text, ARRAY[v_count]);
  v_queued json[] := array_fill(NULL::json, ARRAY[v_count]);
  v_is_current boolean;
  v_login record;
  v_entries jsonb := '[]';
  v_events jsonb := '[]';
BEGIN
  v_setting := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_setting := set_config('role', 'keywright_tenant', true);
  -- FOR SHARE, here and below: whoever ends what the session depends on either waits for it and ends it too, or has
  -- committed before and is seen.
  FOR i IN 1 .. v_count LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM users u
     WHERE u.tenant_id = v_tenant AND u.id = p_users[i] AND u.is_active AND v_tenant = ANY (v_active)
       FOR SHARE;
    IF FOUND THEN
      v_outcomes[i] := 'opened';
    END IF;
  END LOOP;
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN v_outcomes[i] <> 'opened';
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM user_roles held JOIN roles r ON r.tenant_id = held.tenant_id AND r.name = held.role
     WHERE held.tenant_id = v_tenant AND held.user_id = p_users[i] AND NOT r.is_builtin
       FOR SHARE OF r;
  END LOOP;
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN v_outcomes[i] <> 'opened';
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM workspaces w WHERE w.tenant_id = v_tenant AND w.id = p_workspaces[i] FOR KEY SHARE;
    IF NOT FOUND THEN
      v_outcomes[i] := 'refused';
    END IF;
  END LOOP;
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN v_outcomes[i] <> 'opened';
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    SELECT o.is_active AND o.version = coalesce(p_client_versions[i], o.version) INTO v_is_current
      FROM consents c JOIN oauth_clients o ON o.tenant_id = c.tenant_id AND o.id = c.client_id
     WHERE c.tenant_id = v_tenant AND c.id = p_consents[i] AND c.version = p_consent_versions[i]
       AND c.user_id = p_users[i] AND c.client_id = p_clients[i] AND c.revoked_at IS NULL
       FOR SHARE OF c;
    IF NOT FOUND THEN
      v_outcomes[i] := 'refused';
    ELSIF NOT v_is_current THEN
      v_outcomes[i] := 'stale';
    END IF;
  END LOOP;
  FOR v_login IN
    SELECT n, login_id FROM unnest(p_tenants, p_logins) WITH ORDINALITY AS asked (tenant_id, login_id, n)
     ORDER BY tenant_id, login_id
  LOOP
    CONTINUE WHEN v_outcomes[v_login.n] <> 'opened';
    v_tenant := set_config('keywright.tenant_id', p_tenants[v_login.n], true);
    PERFORM FROM sessions s
     WHERE s.tenant_id = v_tenant AND s.id = v_login.login_id AND s.kind = 'browser' AND s.is_active
       AND s.user_id = p_users[v_login.n] AND s.workspace_id = p_workspaces[v_login.n]
       AND s.expires_at > p_now[v_login.n]
       FOR SHARE;
    IF NOT FOUND THEN
      v_outcomes[v_login.n] := 'refused';
    END IF;
  END LOOP;
  FOR i IN 1 .. v_count LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    IF v_outcomes[i] = 'opened' THEN
      INSERT INTO sessions (
        tenant_id, id, user_id, workspace_id, kind, client_id, parent_id, scopes, auth_time, acr, amr, user_agent,
        ip_address, created_at, expires_at, absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at,
        status_idx, status_version, code_hash, userinfo_claims, login_id
      )
      SELECT v_tenant, p_sessions[i], s.user_id, s.workspace_id, 'client', p_clients[i], p_parents[i],
             string_to_array(p_scopes[i], ' '), s.auth_time, s.acr, s.amr, p_user_agents[i], p_ip_addresses[i],
             p_now[i], p_expires_at[i], p_ends_at[i], p_refresh_hashes[i], p_refresh_kids[i], p_now[i],
             p_status_indexes[i], 0, p_code_hashes[i], string_to_array(p_userinfo_claims[i], ' '),
             CASE WHEN p_parents[i] IS NULL THEN p_logins[i] END
        FROM sessions s WHERE s.tenant_id = v_tenant AND s.id = p_logins[i]
      ON CONFLICT (tenant_id, code_hash) WHERE code_hash IS NOT NULL DO NOTHING;
      IF FOUND THEN
        v_entries := v_entries || p_entries[i]::jsonb;
        v_events := v_events || p_events[i]::jsonb;
      ELSE
        v_outcomes[i] := 'used';
      END IF;
    END IF;
    IF v_entries <> '[]' AND (i = v_count OR p_tenants[i + 1] <> v_tenant) THEN
      v_queued[i] := to_json(kw_record(v_tenant, v_entries, v_events));
      v_entries := '[]';
      v_events := '[]';
    END IF;
  END LOOP;
  RETURN QUERY
  SELECT asked.outcome, coalesce(may.roles, '{}'), coalesce(may.scopes, '{}'), coalesce(known.identifiers, '[]'),
         opened.auth_time, opened.acr, opened.amr,
         CASE WHEN asked.metadata AND asked.outcome = 'opened' THEN (
           SELECT json_build_object('metadata', u.metadata, 'user_metadata', u.user_metadata)
             FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = asked.user_id) END,
         asked.queued
    FROM unnest(p_tenants, p_users, p_sessions, p_metadata, v_outcomes, v_queued)
         WITH ORDINALITY AS asked (tenant_id, user_id, session_id, metadata, outcome, queued, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT s.auth_time, s.acr, s.amr FROM sessions s
       WHERE s.tenant_id = entered.tenant_id AND s.id = asked.session_id LIMIT 1
    ) AS opened ON asked.outcome = 'opened'
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, asked.user_id) AS may ON asked.outcome = 'opened'
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object(
               'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position) AS identifiers
        FROM user_identifiers i WHERE i.tenant_id = entered.tenant_id AND i.user_id = asked.user_id
    ) AS known ON asked.outcome = 'opened'
   ORDER BY asked.n;
END
$$;
