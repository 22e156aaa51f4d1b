-- Returns a flow, whether or not it has ended, with the current state of its identifier's user.
-- caller: batched reading
CREATE OR REPLACE FUNCTION kw_find_flow_state(p_tenant text, p_flow text, p_token_hash bytea) RETURNS TABLE (
  :flow_state
) LANGUAGE plpgsql STABLE ROWS 1
:nested_loops_only AS $$
#variable_conflict use_column
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  RETURN QUERY
  SELECT f.purpose, f.identifier, f.workspace_id, f.registers, f.locale, f.continues, f.proofs::json, f.version,
         f.expires_at, f.ended_at, f.session_id,
         EXISTS (SELECT FROM challenges c
                  WHERE c.tenant_id = v_tenant AND c.used_at IS NULL
                    -- Not coalesce, which is not leakproof: under row-level security, no index would be used.
                    AND c.flow_id = CASE WHEN f.continues IS NULL THEN f.id ELSE f.continues END),
         u.id, u.is_active, u.auth_version, u.has_second_factor,
         EXISTS (SELECT FROM user_factors r
                  WHERE r.tenant_id = v_tenant AND r.user_id = u.id AND r.type = 'recovery_codes'
                    AND u.has_second_factor),
         i.verified,
         EXISTS (SELECT FROM user_identifiers o
                  WHERE o.tenant_id = v_tenant AND o.user_id = u.id AND o.identifier <> f.identifier AND o.verified),
         EXISTS (SELECT FROM user_factors t
                  WHERE t.tenant_id = v_tenant AND t.user_id = u.id AND t.type = 'totp' AND t.confirmed_at IS NOT NULL
                    AND u.has_second_factor),
         EXISTS (SELECT FROM user_factors k
                  WHERE k.tenant_id = v_tenant AND k.user_id = u.id AND k.type = 'passkey' AND u.has_second_factor),
         f.acr, f.steps_up
    FROM login_flows f
    LEFT JOIN user_identifiers i ON i.tenant_id = f.tenant_id AND i.identifier = f.identifier
    LEFT JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
   WHERE f.tenant_id = v_tenant AND f.id = p_flow AND f.token_hash = p_token_hash;
END
$$;
