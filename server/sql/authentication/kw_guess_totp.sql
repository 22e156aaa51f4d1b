-- Replaced by kw_guess_totps; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_guess_totp(
  p_tenant text, p_user text, p_subject bytea, p_limit integer, p_window_seconds integer, p_challenge bytea,
  p_challenge_limit integer, p_max_failures integer, p_now timestamptz
) RETURNS TABLE (retry_after integer, is_spent boolean, factor_id text, totp_secret bytea, failures integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_wait integer;
  v_spent boolean;
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Before the factors, as whoever removes them does; else each could wait for the other.
  PERFORM FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user FOR SHARE;
  v_spent := kw_count_attempt(p_tenant, p_challenge, p_challenge_limit, 3600, p_now) IS NOT NULL;
  IF NOT v_spent THEN
    v_wait := kw_count_attempt(p_tenant, p_subject, p_limit, p_window_seconds, p_now);
  END IF;
  IF v_spent OR v_wait IS NOT NULL THEN
    RETURN QUERY SELECT v_wait, v_spent, NULL::text, NULL::bytea, NULL::integer;
    RETURN;
  END IF;
  RETURN QUERY
  UPDATE user_factors f SET failures = f.failures + 1
   WHERE f.tenant_id = p_tenant AND f.user_id = p_user AND f.type = 'totp' AND f.confirmed_at IS NOT NULL
     AND f.failures < p_max_failures
  RETURNING NULL::integer, false, f.id, f.totp_secret, f.failures;
END
$$;
