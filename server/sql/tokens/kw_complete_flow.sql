-- Opens the session that a flow was decided to lead to, and ends the flow, unless it has ended or changed since. The row
-- of the flow is locked before any other. One session: the arrays are those of kw_open_sessions, with one element.
-- caller: writing
-- null: queued, p_clients, p_parents, p_scopes, p_workspaces, p_user_agents, p_refresh_kids
-- when outcome 'opened' | 'elsewhere': workspace_id
-- type outcome: 'opened' | 'elsewhere' | 'refused' | 'workspace_unknown'
-- type identifiers: IdentifierRecord[]
-- type queued: string[]
CREATE OR REPLACE FUNCTION kw_complete_flow(
  p_tenants text[], p_flow text, p_flow_version integer, p_sessions text[], p_users text[], p_auth_versions integer[],
  p_auth_times timestamptz[], p_acrs text[], p_amrs text[], p_kinds text[], p_clients text[], p_parents text[],
  p_scopes text[], p_workspaces text[], p_user_agents text[], p_ip_addresses text[], p_now timestamptz[],
  p_expires_at timestamptz[], p_ends_at timestamptz[], p_refresh_hashes bytea[], p_refresh_kids text[],
  p_status_indexes bigint[], p_entries text[], p_events text[], p_attempt_logins integer[], p_attempt_subjects bytea[]
) RETURNS TABLE (
  outcome text, workspace_id text, roles text[], scopes text[], identifiers json, queued json
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenants[1]);
  PERFORM FROM login_flows f
   WHERE f.tenant_id = p_tenants[1] AND f.id = p_flow AND f.version = p_flow_version AND f.ended_at IS NULL
     AND f.expires_at > p_now[1]
     FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'refused', NULL::text, '{}'::text[], '{}'::text[], '[]'::json, NULL::json;
    RETURN;
  END IF;
  RETURN QUERY
  SELECT * FROM kw_open_sessions(
    p_tenants, p_sessions, p_users, p_auth_versions, p_auth_times, p_acrs, p_amrs, p_kinds, p_clients, p_parents,
    p_scopes, p_workspaces, p_user_agents, p_ip_addresses, p_now, p_expires_at, p_ends_at, p_refresh_hashes,
    p_refresh_kids, p_status_indexes, p_entries, p_events, p_attempt_logins, p_attempt_subjects);
  PERFORM kw_enter(p_tenants[1]);
  UPDATE login_flows f SET ended_at = p_now[1], session_id = p_sessions[1]
   WHERE f.tenant_id = p_tenants[1] AND f.id = p_flow
     AND EXISTS (SELECT FROM sessions s WHERE s.tenant_id = p_tenants[1] AND s.id = p_sessions[1]);
END
$$;
