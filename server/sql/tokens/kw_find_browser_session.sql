-- The browser session of a cookie, by the hash of its secret, with the present permissions of its user, and what the user
-- allows this client now. Nothing if it has ended, or is none of a browser: the secret of one kind of session is none of
-- another.
-- caller: reading
-- null: p_client, consent_id, consent_version, consent_scopes
-- type acr: Acr
CREATE OR REPLACE FUNCTION kw_find_browser_session(
  p_tenant text, p_session text, p_secret_hash bytea, p_client text, p_now timestamptz
) RETURNS TABLE (
  user_id text, workspace_id text, scopes text[], auth_time timestamptz, acr text, amr text[], expires_at timestamptz,
  ends_at timestamptz, identifier text, consent_id text, consent_version integer, consent_scopes text[]
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT s.user_id, s.workspace_id, may.scopes, s.auth_time, s.acr, s.amr, s.expires_at, s.absolute_expires_at,
         (SELECT i.identifier FROM user_identifiers i
           WHERE i.tenant_id = p_tenant AND i.user_id = s.user_id ORDER BY i.position LIMIT 1),
         c.id, c.version, c.scopes
    FROM sessions s
    JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id AND u.is_active
    LEFT JOIN consents c
      ON c.tenant_id = s.tenant_id AND c.user_id = s.user_id AND c.client_id = p_client AND c.revoked_at IS NULL
   CROSS JOIN LATERAL kw_permissions_of(p_tenant, s.user_id) AS may
   WHERE s.tenant_id = p_tenant AND s.id = p_session AND s.kind = 'browser' AND s.refresh_hash = p_secret_hash
     AND s.is_active AND s.expires_at > p_now;
END
$$;
