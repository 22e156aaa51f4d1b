-- Loads flows as kw_find_flow_states does, and uses up each flow's challenge, whatever the outcome: of concurrent
-- uses, only one has is_taken. Also returns the passkey with this credential and the current state of its user; NULL
-- if the tenant has no such passkey. Concurrent calls, for any tenants, share one statement and one commit. The commit
-- does not wait for the disk: the later commit of the session does. p_tenants: sorted by tenant and flow.
-- caller: writing
-- null: acr, steps_up, workspace_id, locale, continues, ended_at, session_id, factor_id, owner_id, is_owner_active, public_key, algorithm, backup_eligible, user_handle, rp_id
-- of login_flows: purpose
-- type acr: Acr
-- type steps_up: SessionId
-- when user_id: is_active, auth_version, has_second_factor, has_recovery_codes, is_verified, has_others, has_totp, has_passkey
-- type owner_id: UserId
CREATE OR REPLACE FUNCTION kw_take_passkeys(
  p_tenants text[], p_flows text[], p_token_hashes bytea[], p_challenge_hashes bytea[], p_credentials bytea[],
  p_now timestamptz[]
) RETURNS TABLE (
  place integer,
  purpose text, identifier text, workspace_id text, registers boolean, locale text, continues text, proofs json,
  version integer, expires_at timestamptz, ended_at timestamptz, session_id text, is_sent boolean, user_id text,
  is_active boolean, auth_version integer, has_second_factor boolean, has_recovery_codes boolean, is_verified boolean,
  has_others boolean, has_totp boolean, has_passkey boolean, acr text, steps_up text,
  is_taken boolean, factor_id text, owner_id text, is_owner_active boolean, public_key bytea,
  algorithm integer, backup_eligible boolean, user_handle bytea, rp_id text
) LANGUAGE plpgsql
:nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_taken boolean[] := array_fill(false, ARRAY[cardinality(p_flows)]);
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_flows) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE login_flows f SET passkey_challenge = NULL, passkey_expires_at = NULL
     WHERE f.tenant_id = p_tenants[i] AND f.id = p_flows[i] AND f.token_hash = p_token_hashes[i]
       AND f.passkey_challenge = p_challenge_hashes[i] AND f.passkey_expires_at > p_now[i] AND f.ended_at IS NULL
       AND f.expires_at > p_now[i];
    v_taken[i] := FOUND;
  END LOOP;
  RETURN QUERY
  SELECT asked.n::integer, found.*, v_taken[asked.n], k.id, k.user_id, u.is_active, k.public_key, k.algorithm,
         k.backup_eligible, k.user_handle, k.rp_id
    FROM unnest(p_tenants, p_flows, p_token_hashes) WITH ORDINALITY AS asked (tenant_id, flow, token_hash, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
   CROSS JOIN LATERAL (
     SELECT f.* FROM kw_find_flow_state(entered.tenant_id, asked.flow, asked.token_hash) AS f LIMIT 1
   ) AS found
    LEFT JOIN LATERAL (
      SELECT user_factors.* FROM user_factors
       WHERE v_taken[asked.n] AND user_factors.tenant_id = entered.tenant_id
         AND user_factors.credential_id = p_credentials[asked.n]
       LIMIT 1
    ) AS k ON true
    LEFT JOIN LATERAL (
      SELECT users.is_active FROM users WHERE users.tenant_id = entered.tenant_id AND users.id = k.user_id LIMIT 1
    ) AS u ON true;
END
$$;
