-- Loads flows as kw_find_flow_states does, and gives each open flow the challenge that its next passkey must sign,
-- replacing an earlier one. is_begun: false if the flow has ended, or has used up its challenges. Concurrent calls,
-- for any tenants, share one statement and one commit. The commit does not wait for the disk: the client requests a
-- lost challenge again. p_tenants: sorted by tenant and flow.
-- caller: writing
-- null: acr, steps_up, workspace_id, locale, continues, ended_at, session_id
-- of login_flows: purpose
-- type acr: Acr
-- type steps_up: SessionId
-- when user_id: is_active, auth_version, has_second_factor, has_recovery_codes, is_verified, has_others, has_totp, has_passkey
CREATE OR REPLACE FUNCTION kw_begin_passkeys(
  p_tenants text[], p_flows text[], p_token_hashes bytea[], p_challenge_hashes bytea[], p_limit integer, p_now timestamptz[],
  p_expires_at timestamptz[]
) RETURNS TABLE (
  place integer,
  purpose text, identifier text, workspace_id text, registers boolean, locale text, continues text, proofs json,
  version integer, expires_at timestamptz, ended_at timestamptz, session_id text, is_sent boolean, user_id text,
  is_active boolean, auth_version integer, has_second_factor boolean, has_recovery_codes boolean, is_verified boolean,
  has_others boolean, has_totp boolean, has_passkey boolean, acr text, steps_up text,
  is_begun boolean
) LANGUAGE plpgsql
:nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_begun boolean[] := array_fill(false, ARRAY[cardinality(p_flows)]);
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_flows) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE login_flows f SET passkey_challenge = p_challenge_hashes[i], passkey_expires_at = p_expires_at[i],
                             passkey_challenges = f.passkey_challenges + 1
     WHERE f.tenant_id = p_tenants[i] AND f.id = p_flows[i] AND f.token_hash = p_token_hashes[i] AND f.ended_at IS NULL
       AND f.expires_at > p_now[i] AND f.passkey_challenges < p_limit;
    v_begun[i] := FOUND;
  END LOOP;
  RETURN QUERY
  SELECT asked.n::integer, found.*, v_begun[asked.n]
    FROM unnest(p_tenants, p_flows, p_token_hashes) WITH ORDINALITY AS asked (tenant_id, flow, token_hash, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
   CROSS JOIN LATERAL (
     SELECT f.* FROM kw_find_flow_state(entered.tenant_id, asked.flow, asked.token_hash) AS f LIMIT 1
   ) AS found;
END
$$;
