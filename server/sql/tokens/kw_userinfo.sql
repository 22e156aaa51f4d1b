-- Returns the claims about the users of these OAuth client sessions, and how each client receives them; NULL if an
-- access token with these claims is no longer valid. README.md explains the order of the joins.
-- caller: reading
-- type answer: ({ readonly name: string | null; readonly picture: string | null; readonly metadata: UserRecord['metadata']; readonly identifiers: readonly IdentifierRecord[]; readonly updated_at: number; readonly requested_claims: readonly string[]; readonly redirect_uris: OAuthClientRecord['redirect_uris']; readonly sector_identifier_uri: OAuthClientRecord['sector_identifier_uri']; readonly subject_type: OAuthClientRecord['subject_type']; readonly algorithm: OAuthClientRecord['userinfo_signed_response_alg'] } | null)[]
CREATE OR REPLACE FUNCTION kw_userinfo(
  p_tenants text[], p_sessions text[], p_versions integer[], p_users text[], p_clients text[]
) RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN (
    SELECT json_agg(found.record ORDER BY input.n)
      FROM unnest(p_tenants, p_sessions, p_versions, p_users, p_clients)
           WITH ORDINALITY AS input (tenant_id, session_id, version, user_id, client_id, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT json_build_object(
                 'name', u.name, 'picture', u.picture, 'metadata', u.metadata,
                 'identifiers', (
                   SELECT coalesce(json_agg(json_build_object(
                            'type', i.type, 'identifier', i.identifier, 'verified', i.verified)
                            ORDER BY i.position), '[]')
                     FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id),
                 'updated_at', floor(extract(epoch FROM coalesce(u.updated_at, u.created_at))),
                 'requested_claims', coalesce(s.userinfo_claims, '{}'),
                 'redirect_uris', c.redirect_uris,
                 'sector_identifier_uri', c.sector_identifier_uri,
                 'subject_type', c.subject_type,
                 'algorithm', c.userinfo_signed_response_alg) AS record
          FROM sessions s
          JOIN tenants t ON t.tenant_id = s.tenant_id AND t.is_active AND t.deleted_at IS NULL
          JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
          JOIN oauth_clients c ON c.tenant_id = s.tenant_id AND c.id = s.client_id AND c.is_active
         WHERE s.tenant_id = entered.tenant_id AND s.id = input.session_id AND s.is_active
           AND s.access_version = input.version AND s.user_id = input.user_id AND s.client_id = input.client_id
         LIMIT 1
      ) AS found ON true
  );
END
$$;
