-- Gives an open flow the challenge that its next passkey must sign, replacing an earlier one, and loads the flow as
-- kw_find_flow_state does. is_begun: false if the flow has ended, or has used up its challenges. The commit does not
-- wait for the disk: the client requests a lost challenge again.
-- caller: batched writing
-- null: acr, steps_up, workspace_id, locale, continues, ended_at, session_id
-- of login_flows: purpose
-- type acr: Acr
-- type proofs: unknown[]
-- type steps_up: SessionId
-- when user_id: is_active, auth_version, has_second_factor, has_recovery_codes, is_verified, has_others, has_totp, has_passkey
CREATE OR REPLACE FUNCTION kw_begin_passkey(
  p_tenant text, p_flow text, p_token_hash bytea, p_challenge_hash bytea, p_limit integer, p_now timestamptz,
  p_expires_at timestamptz
) RETURNS TABLE (
  purpose text, identifier text, workspace_id text, registers boolean, locale text, continues text, proofs json,
  version integer, expires_at timestamptz, ended_at timestamptz, session_id text, is_sent boolean, user_id text,
  is_active boolean, auth_version integer, has_second_factor boolean, has_recovery_codes boolean, is_verified boolean,
  has_others boolean, has_totp boolean, has_passkey boolean, acr text, steps_up text,
  is_begun boolean
) LANGUAGE plpgsql ROWS 1 AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_tenant text := kw_enter(p_tenant);
  v_begun boolean;
BEGIN
  UPDATE login_flows f
     SET passkey_challenge = p_challenge_hash, passkey_expires_at = p_expires_at, passkey_challenges = f.passkey_challenges + 1
   WHERE f.tenant_id = v_tenant AND f.id = p_flow AND f.token_hash = p_token_hash AND f.ended_at IS NULL
     AND f.expires_at > p_now AND f.passkey_challenges < p_limit;
  v_begun := FOUND;
  RETURN QUERY SELECT found.*, v_begun FROM kw_find_flow_state(v_tenant, p_flow, p_token_hash) AS found;
END
$$;
