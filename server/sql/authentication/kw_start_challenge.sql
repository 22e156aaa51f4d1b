-- Returns the challenge of this kind in a flow: a new one, or the one that is still valid for the same user, so that a
-- resend repeats its code. Neither resets the guesses. Returns nothing if the challenge was used or has no guesses
-- left.
-- caller: transaction
-- null: p_user, p_auth_version
CREATE OR REPLACE FUNCTION kw_start_challenge(
  p_tenant text, p_challenge text, p_flow text, p_kind text, p_user text, p_auth_version integer, p_guesses_limit integer,
  p_now timestamptz, p_expires_at timestamptz
) RETURNS TABLE (challenge_id text, expires_at timestamptz) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  INSERT INTO challenges AS c (tenant_id, id, flow_id, kind, user_id, auth_version, expires_at)
  VALUES (p_tenant, p_challenge, p_flow, p_kind, p_user, p_auth_version, p_expires_at)
  ON CONFLICT (tenant_id, flow_id, kind) DO UPDATE SET
    id = CASE
      WHEN c.expires_at > p_now AND (c.user_id, c.auth_version) IS NOT DISTINCT FROM (p_user, p_auth_version) THEN c.id
      ELSE excluded.id END,
    user_id = excluded.user_id,
    auth_version = excluded.auth_version,
    expires_at = CASE
      WHEN c.expires_at > p_now AND (c.user_id, c.auth_version) IS NOT DISTINCT FROM (p_user, p_auth_version) THEN c.expires_at
      ELSE excluded.expires_at END
  WHERE c.used_at IS NULL AND c.guesses < p_guesses_limit
  RETURNING c.id, c.expires_at;
END
$$;
