-- Returns the existing flows, each read by kw_find_flow_state, with its place among the requested ones, from 1.
-- Concurrent steps, of any tenants, share one statement. README.md explains the order of the joins.
-- caller: reading
-- null: acr, steps_up, workspace_id, locale, continues, ended_at, session_id
-- of login_flows: purpose
-- type acr: Acr
-- type steps_up: SessionId
-- when user_id: is_active, auth_version, has_second_factor, has_recovery_codes, is_verified, has_others, has_totp, has_passkey
CREATE OR REPLACE FUNCTION kw_find_flow_states(p_tenants text[], p_flows text[], p_token_hashes bytea[])
RETURNS TABLE (
  place integer,
  purpose text, identifier text, workspace_id text, registers boolean, locale text, continues text, proofs json,
  version integer, expires_at timestamptz, ended_at timestamptz, session_id text, is_sent boolean, user_id text,
  is_active boolean, auth_version integer, has_second_factor boolean, has_recovery_codes boolean, is_verified boolean,
  has_others boolean, has_totp boolean, has_passkey boolean, acr text, steps_up text
) LANGUAGE plpgsql STABLE
:nested_loops_only AS $$
DECLARE
  v_setting text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN QUERY
  SELECT asked.n::integer, found.*
    FROM unnest(p_tenants, p_flows, p_token_hashes) WITH ORDINALITY AS asked (tenant_id, flow, token_hash, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
   CROSS JOIN LATERAL (
     SELECT f.* FROM kw_find_flow_state(entered.tenant_id, asked.flow, asked.token_hash) AS f LIMIT 1
   ) AS found;
END
$$;
