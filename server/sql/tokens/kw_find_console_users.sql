-- Returns the users of browser sessions, by the hash of their cookies' secrets, with their current roles and
-- permissions. Returns a row of NULLs for a session that has ended, was not used since `p_used_after`, was not logged
-- in to since `p_made_after`, or is not a browser session. README.md explains the order of the joins.
-- caller: reading
-- null: user_id, provider_id
-- when user_id: workspace_id, roles, scopes, auth_time, acr, amr, used_at, expires_at, ends_at, access_version
-- type acr: Acr
CREATE OR REPLACE FUNCTION kw_find_console_users(
  p_tenants text[], p_sessions text[], p_secret_hashes bytea[], p_now timestamptz[], p_used_after timestamptz[],
  p_made_after timestamptz[]
) RETURNS TABLE (
  user_id text, workspace_id text, roles text[], scopes text[], auth_time timestamptz, acr text, amr text[],
  provider_id text, used_at timestamptz, expires_at timestamptz, ends_at timestamptz, access_version integer
) LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN QUERY
  SELECT s.user_id, s.workspace_id, may.roles, may.scopes, s.auth_time, s.acr, s.amr, s.provider_id, s.refresh_issued_at,
         s.expires_at, s.absolute_expires_at, s.access_version
    FROM unnest(p_tenants, p_sessions, p_secret_hashes, p_now, p_used_after, p_made_after)
         WITH ORDINALITY AS input (tenant_id, id, secret_hash, now, used_after, made_after, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT sessions.* FROM sessions
       CROSS JOIN LATERAL (
         SELECT FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = sessions.user_id AND u.is_active LIMIT 1
       ) AS u
       WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = input.id AND sessions.kind = 'browser'
         AND sessions.refresh_hash = input.secret_hash AND sessions.is_active AND sessions.expires_at > input.now
         AND sessions.refresh_issued_at > input.used_after AND sessions.auth_time > input.made_after
       LIMIT 1
    ) AS s ON true
    LEFT JOIN LATERAL kw_permissions_of(entered.tenant_id, s.user_id) AS may ON s.user_id IS NOT NULL
   ORDER BY input.n;
END
$$;
