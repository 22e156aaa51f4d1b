-- Replaced by kw_refresh_sessions; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_rotate_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[], p_clients text[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, user_id text,
  access_version integer, workspace_id text, roles text[], scopes text[], identifiers json,
  status_idx bigint, auth_time timestamptz, acr text, amr text[]
) LANGUAGE sql AS $$
SELECT CASE s.outcome WHEN 'stale' THEN 'ended' ELSE s.outcome END, s.kid, s.hash, s.issued_at, s.expires_at, s.user_id,
       s.access_version, s.workspace_id, s.roles, s.scopes, s.identifiers, s.status_idx, s.auth_time, s.acr, s.amr
  FROM kw_refresh_sessions(
    p_tenants, p_sessions, p_presented, p_next, p_kids, p_issued_at, p_expires_at, p_retry_seconds, p_clients,
    array_fill(NULL::integer, ARRAY[cardinality(p_tenants)]), array_fill(false, ARRAY[cardinality(p_tenants)])) AS s;
$$;
