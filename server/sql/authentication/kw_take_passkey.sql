-- Replaced by kw_take_passkeys; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_take_passkey(
  p_tenant text, p_flow text, p_challenge_hash bytea, p_credential bytea, p_now timestamptz
) RETURNS TABLE (
  factor_id text, user_id text, is_active boolean, auth_version integer, public_key bytea, algorithm integer,
  backup_eligible boolean, user_handle bytea, rp_id text
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE login_flows f SET passkey_challenge = NULL, passkey_expires_at = NULL
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.passkey_challenge = p_challenge_hash
     AND f.passkey_expires_at > p_now AND f.ended_at IS NULL AND f.expires_at > p_now;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT k.id, k.user_id, u.is_active, u.auth_version, k.public_key, k.algorithm, k.backup_eligible, k.user_handle, k.rp_id
    FROM (SELECT) AS one
    LEFT JOIN user_factors k ON k.tenant_id = p_tenant AND k.credential_id = p_credential
    LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.user_id;
END
$$;
