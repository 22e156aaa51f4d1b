-- A flow, whether or not it has ended, with the user of its identifier as they are now.
-- For nodes of the version before flows with demands.
-- caller: none
-- null: workspace_id, ended_at, session_id
-- when user_id: is_active, auth_version, has_second_factor, has_recovery_codes
CREATE OR REPLACE FUNCTION kw_find_flow(p_tenant text, p_flow text, p_token_hash bytea)
RETURNS TABLE (
  purpose text, identifier text, workspace_id text, proofs json, version integer, expires_at timestamptz,
  ended_at timestamptz, session_id text, user_id text, is_active boolean, auth_version integer,
  has_second_factor boolean, has_recovery_codes boolean
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT f.purpose, f.identifier, f.workspace_id, f.proofs::json, f.version, f.expires_at, f.ended_at, f.session_id,
         u.id, u.is_active, u.auth_version, u.has_second_factor,
         EXISTS (SELECT FROM user_factors r
                  WHERE r.tenant_id = p_tenant AND r.user_id = u.id AND r.type = 'recovery_codes'
                    AND u.has_second_factor)
    FROM login_flows f
    LEFT JOIN user_identifiers i ON i.tenant_id = f.tenant_id AND i.identifier = f.identifier
    LEFT JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.token_hash = p_token_hash;
END
$$;
