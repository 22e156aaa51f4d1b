-- Replaced by kw_open_client_sessions; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_redeem_codes(
  p_tenants text[], p_sessions text[], p_clients text[], p_users text[], p_workspaces text[], p_logins text[],
  p_parents text[], p_consents text[], p_consent_versions integer[], p_code_hashes bytea[], p_scopes text[],
  p_user_agents text[], p_ip_addresses text[], p_now timestamptz[], p_expires_at timestamptz[], p_ends_at timestamptz[],
  p_refresh_hashes bytea[], p_refresh_kids text[], p_status_indexes bigint[], p_entries text[], p_events text[],
  p_userinfo_claims text[]
) RETURNS TABLE (
  outcome text, roles text[], scopes text[], identifiers json, auth_time timestamptz, acr text, amr text[], queued json
) LANGUAGE sql AS $$
SELECT CASE s.outcome WHEN 'stale' THEN 'refused' ELSE s.outcome END, s.roles, s.scopes, s.identifiers, s.auth_time,
       s.acr, s.amr, s.queued
  FROM kw_open_client_sessions(
    p_tenants, p_sessions, p_clients, p_users, p_workspaces, p_logins, p_parents, p_consents, p_consent_versions,
    p_code_hashes, p_scopes, p_user_agents, p_ip_addresses, p_now, p_expires_at, p_ends_at, p_refresh_hashes,
    p_refresh_kids, p_status_indexes, p_entries, p_events, p_userinfo_claims,
    array_fill(NULL::integer, ARRAY[cardinality(p_tenants)]), array_fill(false, ARRAY[cardinality(p_tenants)])) AS s;
$$;
