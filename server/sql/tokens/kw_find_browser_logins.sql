-- Replaced by kw_read_browser_logins; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_find_browser_logins(
  p_tenants text[], p_sessions text[], p_secret_hashes bytea[], p_clients text[], p_now timestamptz[]
) RETURNS TABLE (
  user_id text, workspace_id text, scopes text[], auth_time timestamptz, acr text, amr text[], provider_id text, used_at timestamptz,
  expires_at timestamptz, ends_at timestamptz, identifier text, consent_id text, consent_version integer,
  consent_scopes text[], client_version integer
) LANGUAGE sql AS $$
SELECT s.user_id, s.workspace_id, s.scopes, s.auth_time, s.acr, s.amr, s.provider_id, s.used_at, s.expires_at, s.ends_at,
       s.identifier, s.consent_id, s.consent_version, s.consent_scopes, s.client_version
  FROM kw_read_browser_logins(p_tenants, p_sessions, p_secret_hashes, p_clients, p_now) AS s
$$;
