-- Opens a session for each decided login, unless the user was deactivated since or has another auth_version, and
-- discounts the attempts. Refused as well: a login that lacks the user's own factor (kw_lacks_enrolled_factor). p_flows: the flow
-- that leads to the login, which ends with it; it must be open, and in the version that was decided on. p_challenges: the
-- challenge of the flow's message that is its last proof, which is used. The audit entry comes with its MAC, so it must
-- contain the workspace from the start: a login whose workspace differs is not opened, and the outcome is elsewhere, with
-- the workspace, and the provider that vouched for the user. queued: the queued deliveries of all logins of a tenant, with one of them. p_amrs: joined by spaces.
-- p_entries, p_events: a line for each login, each a JSON array as kw_record takes it.
-- README.md explains the order of the joins and of the locks.
-- caller: writing
-- null: queued, p_flows, p_flow_versions, p_challenges, p_workspaces, p_user_agents, p_refresh_kids
-- when outcome 'opened' | 'elsewhere': workspace_id
-- type outcome: 'opened' | 'elsewhere' | 'refused' | 'workspace_unknown'
-- type identifiers: IdentifierRecord[]
-- type queued: string[]
CREATE OR REPLACE FUNCTION kw_finish_logins(
  p_tenants text[], p_sessions text[], p_users text[], p_auth_versions integer[], p_auth_times timestamptz[],
  p_acrs text[], p_amrs text[], p_kinds text[], p_workspaces text[], p_user_agents text[], p_ip_addresses text[],
  p_now timestamptz[], p_expires_at timestamptz[], p_ends_at timestamptz[], p_refresh_hashes bytea[],
  p_refresh_kids text[], p_status_indexes bigint[], p_entries text, p_events text, p_attempt_logins integer[],
  p_attempt_subjects bytea[], p_flows text[], p_flow_versions integer[], p_challenges text[]
) RETURNS TABLE (
  outcome text, workspace_id text, roles text[], scopes text[], identifiers json, queued json
) LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_count integer := cardinality(p_tenants);
  v_setting text;
  v_tenant text;
  v_active text[];
  v_workspace text;
  v_outcomes text[] := array_fill('refused'::text, ARRAY[v_count]);
  v_decided boolean[] := array_fill(true, ARRAY[v_count]);
  v_workspaces text[] := array_fill(NULL::text, ARRAY[v_count]);
  v_queued json[] := array_fill(NULL::json, ARRAY[v_count]);
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
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN p_flows[i] IS NULL;
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM login_flows f
     WHERE f.tenant_id = v_tenant AND f.id = p_flows[i] AND f.version = p_flow_versions[i] AND f.ended_at IS NULL
       AND f.expires_at > p_now[i]
       FOR UPDATE;
    -- The lock excludes other batches, but not another element of this batch.
    v_decided[i] := FOUND AND NOT coalesce(p_flows[i] = ANY (p_flows[:i - 1]), false);
    CONTINUE WHEN p_challenges[i] IS NULL OR NOT v_decided[i];
    PERFORM FROM challenges c
     WHERE c.tenant_id = v_tenant AND c.id = p_challenges[i] AND c.used_at IS NULL AND c.expires_at > p_now[i]
       AND c.flow_id = (SELECT coalesce(f.continues, f.id) FROM login_flows f WHERE f.tenant_id = v_tenant AND f.id = p_flows[i])
       FOR UPDATE;
    v_decided[i] := FOUND AND NOT coalesce(p_challenges[i] = ANY (p_challenges[:i - 1]), false);
  END LOOP;
  -- FOR SHARE: a concurrent deactivation of the user, or change of credentials, either waits for this session and ends
  -- it with the others, or has already committed and is seen.
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN NOT v_decided[i];
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM users u
     WHERE u.tenant_id = v_tenant AND u.id = p_users[i] AND u.is_active AND u.auth_version = p_auth_versions[i]
       AND v_tenant = ANY (v_active)
       FOR SHARE;
    IF FOUND THEN
      v_outcomes[i] := 'opened';
    END IF;
  END LOOP;
  -- This also applies to changing or deleting a role of the user. Built-in roles never change.
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN v_outcomes[i] <> 'opened';
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM user_roles assigned JOIN roles r ON r.tenant_id = assigned.tenant_id AND r.name = assigned.role
     WHERE assigned.tenant_id = v_tenant AND assigned.user_id = p_users[i] AND NOT r.is_builtin
       FOR SHARE OF r;
    -- From the current roles: they can have been assigned since the login was decided on.
    IF p_acrs[i] = 'aal2' AND 'fed' = ANY (string_to_array(p_amrs[i], ' '))
       AND kw_lacks_enrolled_factor(v_tenant, p_users[i], p_acrs[i], string_to_array(p_amrs[i], ' ')) THEN
      v_outcomes[i] := 'refused';
    END IF;
  END LOOP;
  -- This also applies to deleting the workspace: if it is gone, the workspace of the login differs. ws_default is
  -- never deleted.
  FOR i IN 1 .. v_count LOOP
    CONTINUE WHEN v_outcomes[i] <> 'opened';
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    LOOP
      v_workspace := kw_login_workspace(v_tenant, p_users[i], p_workspaces[i]);
      EXIT WHEN coalesce(v_workspace, 'ws_default') = 'ws_default';
      PERFORM FROM workspaces w WHERE w.tenant_id = v_tenant AND w.id = v_workspace FOR KEY SHARE;
      EXIT WHEN FOUND;
    END LOOP;
    v_workspaces[i] := v_workspace;
    IF v_workspace IS NULL THEN
      v_outcomes[i] := 'workspace_unknown';
    ELSIF v_workspace IS DISTINCT FROM v_all_entries[i]::jsonb #>> '{0,details,workspace_id}' THEN
      v_outcomes[i] := 'elsewhere';
    END IF;
  END LOOP;
  FOR i IN 1 .. v_count LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    IF v_outcomes[i] = 'opened' THEN
      INSERT INTO sessions (
        tenant_id, id, user_id, workspace_id, kind, auth_time, acr, amr, user_agent, ip_address, created_at, expires_at,
        absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, status_idx, status_version, provider_id
      ) VALUES (
        v_tenant, p_sessions[i], p_users[i], v_workspaces[i], p_kinds[i], p_auth_times[i], p_acrs[i],
        string_to_array(p_amrs[i], ' '), p_user_agents[i], p_ip_addresses[i], p_now[i], p_expires_at[i], p_ends_at[i],
        p_refresh_hashes[i], p_refresh_kids[i], p_now[i], p_status_indexes[i], 0,
        v_all_entries[i]::jsonb #>> '{0,details,provider_id}'
      );
      IF p_flows[i] IS NOT NULL THEN
        UPDATE login_flows SET ended_at = p_now[i], session_id = p_sessions[i] WHERE tenant_id = v_tenant AND id = p_flows[i];
      END IF;
      IF p_challenges[i] IS NOT NULL THEN
        UPDATE challenges SET used_at = p_now[i] WHERE tenant_id = v_tenant AND id = p_challenges[i];
      END IF;
      v_entries := v_entries || v_all_entries[i];
      v_events := v_events || v_all_events[i];
    END IF;
    IF v_entries IS NOT NULL AND (i = v_count OR p_tenants[i + 1] <> v_tenant) THEN
      -- Parsed once: appending one list at a time would copy the result each time.
      v_queued[i] := to_json(kw_record(
        v_tenant, jsonb_path_query_array(('[' || array_to_string(v_entries, ',') || ']')::jsonb, '$[*][*]'),
        jsonb_path_query_array(('[' || array_to_string(v_events, ',') || ']')::jsonb, '$[*][*]')));
      v_entries := NULL;
      v_events := NULL;
    END IF;
  END LOOP;
  FOR i IN 1 .. cardinality(p_attempt_logins) LOOP
    -- The caller repeats this login immediately.
    CONTINUE WHEN v_outcomes[p_attempt_logins[i]] = 'elsewhere';
    v_tenant := set_config('keywright.tenant_id', p_tenants[p_attempt_logins[i]], true);
    UPDATE login_attempts a SET attempts = a.attempts - 1
     WHERE a.tenant_id = v_tenant AND a.subject = p_attempt_subjects[i] AND a.attempts > 0
       AND a.window_ends_at > p_now[p_attempt_logins[i]];
  END LOOP;
  RETURN QUERY
  SELECT input.outcome, input.workspace_id, coalesce(may.roles, '{}'), coalesce(may.scopes, '{}'),
         coalesce(profile.identifiers, '[]'), input.queued
    FROM unnest(p_tenants, p_users, v_outcomes, v_workspaces, v_queued)
         WITH ORDINALITY AS input (tenant_id, user_id, outcome, workspace_id, queued, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, input.user_id) AS may ON input.outcome = 'opened'
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object(
               'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position) AS identifiers
        FROM user_identifiers i WHERE i.tenant_id = entered.tenant_id AND i.user_id = input.user_id
    ) AS profile ON input.outcome = 'opened'
   ORDER BY input.n;
END
$$;
