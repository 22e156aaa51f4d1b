-- Takes a guess at a user's recovery codes, and replaces a correct code by the next one in the same statement, so that
-- each code is accepted once. The limits are those of kw_guess_totps. auth_version: of the user, NULL if the code is
-- wrong. failures: consecutive wrong codes; too many suspend the codes. Returns no row if there are no codes, or they
-- are suspended.
-- caller: writing
-- null: retry_after, factor_id, auth_version, failures
CREATE OR REPLACE FUNCTION kw_use_recovery_code(
  p_tenant text, p_user text, p_subject bytea, p_limit integer, p_window_seconds integer, p_challenge bytea,
  p_challenge_limit integer, p_max_failures integer, p_now timestamptz, p_code bytea, p_next bytea
) RETURNS TABLE (retry_after integer, is_spent boolean, factor_id text, auth_version integer, failures integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_wait integer;
  v_spent boolean;
  v_factor record;
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Locked before the factors, in the same order as when factors are removed, to prevent a deadlock.
  PERFORM FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user FOR SHARE;
  v_spent := kw_count_attempt(p_tenant, p_challenge, p_challenge_limit, 3600, p_now) IS NOT NULL;
  IF NOT v_spent THEN
    v_wait := kw_count_attempt(p_tenant, p_subject, p_limit, p_window_seconds, p_now);
  END IF;
  IF v_spent OR v_wait IS NOT NULL THEN
    RETURN QUERY SELECT v_wait, v_spent, NULL::text, NULL::integer, NULL::integer;
    RETURN;
  END IF;
  UPDATE user_factors f SET
      recovery_codes = array_replace(f.recovery_codes, p_code, p_next),
      last_used_at = CASE WHEN p_code = ANY (f.recovery_codes) THEN p_now ELSE f.last_used_at END,
      failures = CASE WHEN p_code = ANY (f.recovery_codes) THEN 0 ELSE f.failures + 1 END
    WHERE f.tenant_id = p_tenant AND f.user_id = p_user AND f.type = 'recovery_codes'
      AND f.failures < p_max_failures
    RETURNING f.id, f.failures, f.failures = 0 AS is_right INTO v_factor;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF v_factor.is_right THEN
    UPDATE user_factors f SET failures = 0 WHERE f.tenant_id = p_tenant AND f.user_id = p_user AND f.failures > 0;
  END IF;
  RETURN QUERY
  SELECT NULL::integer, false, v_factor.id::text,
         CASE WHEN v_factor.is_right
              THEN (SELECT u.auth_version FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user) END,
         v_factor.failures;
END
$$;
