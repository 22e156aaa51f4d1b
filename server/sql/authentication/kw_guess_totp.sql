-- Takes a guess at the authenticators of a user before the code is compared, so that parallel guesses cannot exceed a
-- limit: that of the user, of the challenge, and of consecutive wrong codes of each authenticator. retry_after: the
-- seconds to wait, null if admitted; is_spent: the challenge takes no more guesses. Otherwise returns a row for each
-- authenticator that is confirmed and not suspended, with the number of its failures if this guess is wrong.
-- p_max_failures: the consecutive wrong codes that suspend an authenticator for this guess; on a known device there are
-- more. The commit does not wait for the disk, as in kw_start_logins.
-- caller: batched writing
-- null: retry_after
-- when factor_id: totp_secret, failures
CREATE OR REPLACE FUNCTION kw_guess_totp(
  p_tenant text, p_user text, p_subject bytea, p_challenge bytea, p_now timestamptz, p_limit integer,
  p_window_seconds integer, p_challenge_limit integer, p_max_failures integer
) RETURNS TABLE (
  retry_after integer, is_spent boolean, factor_id text, totp_secret bytea, failures integer
) LANGUAGE plpgsql ROWS 1 AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_tenant text := kw_enter(p_tenant);
BEGIN
  -- Guesses for a user wait for each other here: their batches would lock the counters of challenges in any order.
  PERFORM FROM users u WHERE u.tenant_id = v_tenant AND u.id = p_user FOR NO KEY UPDATE;
  is_spent := kw_count_attempt(v_tenant, p_challenge, p_challenge_limit, 3600, p_now) IS NOT NULL;
  IF NOT is_spent THEN
    retry_after := kw_count_attempt(v_tenant, p_subject, p_limit, p_window_seconds, p_now);
  END IF;
  IF is_spent OR retry_after IS NOT NULL THEN
    RETURN NEXT;
    RETURN;
  END IF;
  RETURN QUERY
  UPDATE user_factors f SET failures = f.failures + 1
   WHERE f.tenant_id = v_tenant AND f.user_id = p_user AND f.type = 'totp' AND f.confirmed_at IS NOT NULL
     AND f.failures < p_max_failures
  RETURNING NULL::integer, false, f.id, f.totp_secret, f.failures;
END
$$;
