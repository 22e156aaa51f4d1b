-- Returns the contents of a session's most recently minted tokens, with the current permissions of its user. Returns
-- nothing if the session has ended.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_find_issued_tokens(p_tenant text, p_session text, p_now timestamptz) RETURNS TABLE (
  kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, ends_at timestamptz, :session_claims
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT s.refresh_kid, s.refresh_hash, s.refresh_issued_at, s.expires_at, s.absolute_expires_at, s.user_id,
         s.access_version, s.workspace_id, may.roles, may.scopes,
         (SELECT coalesce(json_agg(json_build_object(
                   'type', i.type, 'identifier', i.identifier, 'verified', i.verified) ORDER BY i.position), '[]')
            FROM user_identifiers i WHERE i.tenant_id = p_tenant AND i.user_id = s.user_id),
         CASE WHEN s.status_version = s.access_version THEN s.status_idx END, s.auth_time, s.acr, s.amr
    FROM sessions s
    JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id AND u.is_active
   CROSS JOIN LATERAL kw_permissions_of(p_tenant, s.user_id) AS may
   WHERE s.tenant_id = p_tenant AND s.id = p_session AND s.kind = 'api' AND s.is_active AND s.expires_at > p_now;
END
$$;
