-- Takes one guess of the challenge of this kind in a flow before the code is compared, so that parallel guesses cannot
-- exceed the limit; then counts it by recipient. Returns nothing if the challenge has expired, was used, or has no
-- guess left. retry_after: the seconds to wait, NULL if the code can be compared. The commit does not wait for the
-- disk, as in kw_start_logins.
-- caller: writing
-- null: retry_after, user_id, auth_version
CREATE OR REPLACE FUNCTION kw_guess_code(
  p_tenant text, p_flow text, p_kind text, p_guesses_limit integer, p_subject bytea, p_subject_limit integer,
  p_window_seconds integer, p_now timestamptz
) RETURNS TABLE (challenge_id text, user_id text, auth_version integer, guesses_left integer, retry_after integer)
LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE challenges c SET guesses = c.guesses + 1
   WHERE c.tenant_id = p_tenant AND c.flow_id = p_flow AND c.kind = p_kind AND c.guesses < p_guesses_limit
     AND c.used_at IS NULL AND c.expires_at > p_now
  RETURNING c.id, c.user_id, c.auth_version, p_guesses_limit - c.guesses
       INTO challenge_id, user_id, auth_version, guesses_left;
  IF FOUND THEN
    retry_after := kw_count_attempt(p_tenant, p_subject, p_subject_limit, p_window_seconds, p_now);
    -- A code that is not compared takes no guess.
    IF retry_after IS NOT NULL THEN
      UPDATE challenges c SET guesses = c.guesses - 1 WHERE c.tenant_id = p_tenant AND c.id = challenge_id;
    END IF;
    RETURN NEXT;
  END IF;
END
$$;
