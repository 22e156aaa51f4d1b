-- Replaced by kw_finish_logins; nodes of the previous version call it. Only logins come by it: p_clients, p_parents and
-- p_scopes are empty.
-- caller: none
CREATE OR REPLACE FUNCTION kw_complete_logins(
  p_tenants text[], p_sessions text[], p_users text[], p_auth_versions integer[], p_auth_times timestamptz[],
  p_acrs text[], p_amrs text[], p_kinds text[], p_clients text[], p_parents text[], p_scopes text[], p_workspaces text[],
  p_user_agents text[], p_ip_addresses text[], p_now timestamptz[], p_expires_at timestamptz[],
  p_ends_at timestamptz[], p_refresh_hashes bytea[], p_refresh_kids text[], p_status_indexes bigint[],
  p_entries text[], p_events text[], p_attempt_logins integer[], p_attempt_subjects bytea[], p_flows text[],
  p_flow_versions integer[], p_challenges text[]
) RETURNS TABLE (
  outcome text, workspace_id text, roles text[], scopes text[], identifiers json, queued json
) LANGUAGE sql AS $$
SELECT * FROM kw_finish_logins(
  p_tenants, p_sessions, p_users, p_auth_versions, p_auth_times, p_acrs, p_amrs, p_kinds, p_workspaces, p_user_agents,
  p_ip_addresses, p_now, p_expires_at, p_ends_at, p_refresh_hashes, p_refresh_kids, p_status_indexes, p_entries,
  p_events, p_attempt_logins, p_attempt_subjects, p_flows, p_flow_versions, p_challenges);
$$;
