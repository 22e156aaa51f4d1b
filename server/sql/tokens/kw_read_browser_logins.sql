-- Returns the browser sessions of cookies, by the hash of their secrets, each with the current permissions of its
-- user, the user's current consent to that client, and the version of the client, NULL unless it is active. Returns a
-- row of NULLs if the session has ended or is not a browser session; a cookie's secret opens no other kind of session.
-- README.md explains the order of the joins.
-- caller: reading
-- null: p_clients, provider_id, consent_id, consent_version, consent_scopes, consent_redirect_origins, client_version
-- when user_id: workspace_id, scopes, auth_time, acr, amr, used_at, expires_at, ends_at, identifier
-- type acr: Acr
CREATE OR REPLACE FUNCTION kw_read_browser_logins(
  p_tenants text[], p_sessions text[], p_secret_hashes bytea[], p_clients text[], p_now timestamptz[]
) RETURNS TABLE (
  user_id text, workspace_id text, scopes text[], auth_time timestamptz, acr text, amr text[], provider_id text, used_at timestamptz,
  expires_at timestamptz, ends_at timestamptz, identifier text, consent_id text, consent_version integer,
  consent_scopes text[], consent_redirect_origins text[], client_version integer
) LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN QUERY
  SELECT s.user_id, s.workspace_id, may.scopes, s.auth_time, s.acr, s.amr, s.provider_id, s.refresh_issued_at, s.expires_at,
         s.absolute_expires_at,
         (SELECT i.identifier FROM user_identifiers i
           WHERE i.tenant_id = entered.tenant_id AND i.user_id = s.user_id ORDER BY i.position LIMIT 1),
         c.id, c.version, c.scopes, c.redirect_origins,
         (SELECT o.version FROM oauth_clients o
           WHERE o.tenant_id = entered.tenant_id AND o.id = input.client_id AND o.is_active)
    FROM unnest(p_tenants, p_sessions, p_secret_hashes, p_clients, p_now)
         WITH ORDINALITY AS input (tenant_id, id, secret_hash, client_id, now, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT sessions.* FROM sessions
       CROSS JOIN LATERAL (
         SELECT FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = sessions.user_id AND u.is_active LIMIT 1
       ) AS u
       WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.id AND sessions.kind = 'browser'
         AND sessions.refresh_hash = input.secret_hash AND sessions.is_active AND sessions.expires_at > input.now
       LIMIT 1
    ) AS s ON true
    LEFT JOIN LATERAL (
      SELECT consents.* FROM consents
       WHERE consents.tenant_id = entered.tenant_id AND consents.user_id = s.user_id
         AND consents.client_id = input.client_id AND consents.revoked_at IS NULL
       LIMIT 1
    ) AS c ON true
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, s.user_id) AS may ON s.user_id IS NOT NULL
   ORDER BY input.n;
END
$$;
