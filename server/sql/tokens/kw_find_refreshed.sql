-- Finds the session that would accept a refresh token: the current token, or the previous one within the retry window.
-- Changes nothing.
-- caller: reading
-- null: identifier, provider_id
-- type kind: 'api' | 'client'
-- type acr: Acr
CREATE OR REPLACE FUNCTION kw_find_refreshed(
  p_tenant text, p_session text, p_presented bytea, p_retry_seconds integer, p_now timestamptz
) RETURNS TABLE (kind text, user_id text, acr text, amr text[], provider_id text, identifier text) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT s.kind, s.user_id, s.acr, s.amr, s.provider_id,
         (SELECT i.identifier FROM user_identifiers i
           WHERE i.tenant_id = p_tenant AND i.user_id = s.user_id ORDER BY i.position LIMIT 1)
    FROM sessions s
   WHERE s.tenant_id = p_tenant AND s.id = p_session AND s.is_active AND s.expires_at > p_now AND s.kind <> 'browser'
     AND (s.refresh_hash = p_presented
          OR s.previous_refresh_hash = p_presented
             AND s.refresh_issued_at > p_now - make_interval(secs => p_retry_seconds));
END
$$;
