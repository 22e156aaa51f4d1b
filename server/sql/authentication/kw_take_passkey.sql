-- Uses up the challenge of a flow, whatever the outcome: of concurrent uses, only one has is_taken. Loads the flow as
-- kw_find_flow_state does, and the passkey with this credential with the current state of its user: null if the tenant
-- has no such passkey. The commit does not wait for the disk: the later commit of the session does.
-- caller: batched writing
-- null: factor_id, owner_id, is_owner_active, public_key, algorithm, backup_eligible, user_handle, rp_id
-- type owner_id: UserId
CREATE OR REPLACE FUNCTION kw_take_passkey(
  p_tenant text, p_flow text, p_token_hash bytea, p_challenge_hash bytea, p_credential bytea, p_now timestamptz
) RETURNS TABLE (
  :flow_state, is_taken boolean, factor_id text, owner_id text, is_owner_active boolean, public_key bytea,
  algorithm integer, backup_eligible boolean, user_handle bytea, rp_id text
) LANGUAGE plpgsql ROWS 1
:nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_tenant text := kw_enter(p_tenant);
  v_taken boolean;
BEGIN
  UPDATE login_flows f SET passkey_challenge = NULL, passkey_expires_at = NULL
   WHERE f.tenant_id = v_tenant AND f.id = p_flow AND f.token_hash = p_token_hash
     AND f.passkey_challenge = p_challenge_hash AND f.passkey_expires_at > p_now AND f.ended_at IS NULL
     AND f.expires_at > p_now;
  v_taken := FOUND;
  RETURN QUERY
  SELECT found.*, v_taken, k.id, k.user_id, u.is_active, k.public_key, k.algorithm, k.backup_eligible, k.user_handle,
         k.rp_id
    FROM kw_find_flow_state(v_tenant, p_flow, p_token_hash) AS found
    LEFT JOIN user_factors k ON v_taken AND k.tenant_id = v_tenant AND k.credential_id = p_credential
    LEFT JOIN LATERAL (
      SELECT users.is_active FROM users WHERE users.tenant_id = v_tenant AND users.id = k.user_id LIMIT 1
    ) AS u ON true;
END
$$;
