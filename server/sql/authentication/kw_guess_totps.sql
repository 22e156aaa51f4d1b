-- Takes a guess at the authenticators of each user before the code is compared, so that parallel guesses cannot exceed a
-- limit: that of the user, of the challenge, and of consecutive wrong codes of each authenticator. place: among the
-- guesses, from 1. retry_after: the seconds to wait, null if admitted; is_spent: the challenge takes no more guesses.
-- Otherwise returns a row for each authenticator that is confirmed and not suspended, with the number of its failures if
-- this guess is wrong. p_max_failures: the consecutive wrong codes that suspend an authenticator for this guess; on a
-- known device there are more. Concurrent guesses, of any tenants, share one statement and one commit, which does not
-- wait for the disk, as in kw_start_logins. p_tenants: sorted by tenant and user.
-- caller: writing
-- null: retry_after
-- when factor_id: totp_secret, failures
CREATE OR REPLACE FUNCTION kw_guess_totps(
  p_tenants text[], p_users text[], p_subjects bytea[], p_challenges bytea[], p_now timestamptz[], p_limit integer,
  p_window_seconds integer, p_challenge_limit integer, p_max_failures integer[]
) RETURNS TABLE (
  place integer, retry_after integer, is_spent boolean, factor_id text, totp_secret bytea, failures integer
) LANGUAGE plpgsql
:nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_count integer := cardinality(p_tenants);
  v_waits integer[] := array_fill(NULL::integer, ARRAY[v_count]);
  v_spent boolean[] := array_fill(false, ARRAY[v_count]);
  v_place integer;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  -- Locked before the factors, in the order of their removal. Shared locks do not block logins while a batch waits.
  FOR i IN 1 .. v_count LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    PERFORM FROM users u WHERE u.tenant_id = p_tenants[i] AND u.id = p_users[i] FOR SHARE;
  END LOOP;
  -- The counters of challenges come first, sorted, so that two batches cannot deadlock.
  FOR v_place IN
    SELECT n::integer FROM unnest(p_tenants, p_challenges) WITH ORDINALITY AS guess (tenant_id, subject, n)
     ORDER BY tenant_id, subject, n
  LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[v_place], true);
    v_spent[v_place] := kw_count_attempt(
      p_tenants[v_place], p_challenges[v_place], p_challenge_limit, 3600, p_now[v_place]) IS NOT NULL;
  END LOOP;
  FOR v_place IN
    SELECT n::integer FROM unnest(p_tenants, p_subjects) WITH ORDINALITY AS guess (tenant_id, subject, n)
     WHERE NOT v_spent[n] ORDER BY tenant_id, subject, n
  LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[v_place], true);
    v_waits[v_place] := kw_count_attempt(
      p_tenants[v_place], p_subjects[v_place], p_limit, p_window_seconds, p_now[v_place]);
  END LOOP;
  FOR i IN 1 .. v_count LOOP
    IF v_spent[i] OR v_waits[i] IS NOT NULL THEN
      RETURN QUERY SELECT i, v_waits[i], v_spent[i], NULL::text, NULL::bytea, NULL::integer;
      CONTINUE;
    END IF;
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    RETURN QUERY
    UPDATE user_factors f SET failures = f.failures + 1
     WHERE f.tenant_id = p_tenants[i] AND f.user_id = p_users[i] AND f.type = 'totp' AND f.confirmed_at IS NOT NULL
       AND f.failures < p_max_failures[i]
    RETURNING i, NULL::integer, false, f.id, f.totp_secret, f.failures;
  END LOOP;
END
$$;
