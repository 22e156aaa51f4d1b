-- Gives an open flow the challenge that its next passkey must sign, replacing an earlier one, and loads the flow as
-- kw_find_flow_state does. is_begun: false if the flow has ended, or has used up its challenges. The commit does not
-- wait for the disk: the client requests a lost challenge again.
-- caller: batched writing
CREATE OR REPLACE FUNCTION kw_start_passkey(
  p_tenant text, p_flow text, p_token_hash bytea, p_challenge_hash bytea, p_limit integer, p_now timestamptz,
  p_expires_at timestamptz
) RETURNS TABLE (
  :flow_state, is_begun boolean
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
