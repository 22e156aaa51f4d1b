-- Replaced by kw_begin_passkeys; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_begin_passkey(
  p_tenant text, p_flow text, p_challenge_hash bytea, p_limit integer, p_now timestamptz, p_expires_at timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE login_flows f SET passkey_challenge = p_challenge_hash, passkey_expires_at = p_expires_at,
                           passkey_challenges = f.passkey_challenges + 1
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.ended_at IS NULL AND f.expires_at > p_now
     AND f.passkey_challenges < p_limit;
  RETURN FOUND;
END
$$;
