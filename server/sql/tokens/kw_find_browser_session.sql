-- Replaced by kw_read_browser_logins; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_find_browser_session(
  p_tenant text, p_session text, p_secret_hash bytea, p_client text, p_now timestamptz
) RETURNS TABLE (
  user_id text, workspace_id text, scopes text[], auth_time timestamptz, acr text, amr text[], expires_at timestamptz,
  ends_at timestamptz, identifier text, consent_id text, consent_version integer, consent_scopes text[]
) LANGUAGE sql AS $$
SELECT s.user_id, s.workspace_id, s.scopes, s.auth_time, s.acr, s.amr, s.expires_at, s.ends_at, s.identifier,
       s.consent_id, s.consent_version, s.consent_scopes
  FROM kw_read_browser_logins(
    ARRAY[p_tenant], ARRAY[p_session], ARRAY[p_secret_hash], ARRAY[p_client], ARRAY[p_now]) AS s
 WHERE s.user_id IS NOT NULL;
$$;
