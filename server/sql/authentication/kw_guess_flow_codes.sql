-- Loads flows as kw_find_flow_state does, and takes one guess of each open flow's message before the code is
-- compared, so that parallel guesses cannot exceed the limit; then counts it by recipient, whose subject is derived
-- from the identifier. p_kinds: the kinds of challenges that messages are sent for. challenge_id: NULL if the message
-- has expired, was used, or has no guess left. retry_after: the seconds to wait, NULL if the code can be compared.
-- Concurrent guesses, of any tenants, share one statement and one commit, which does not wait for the disk, as in
-- kw_start_logins.
-- caller: writing
-- null: challenge_id, kind, sent_to, sent_version, guesses_left, retry_after
-- of challenges: kind
-- type sent_to: UserId
CREATE OR REPLACE FUNCTION kw_guess_flow_codes(
  p_tenants text[], p_flows text[], p_token_hashes bytea[], p_now timestamptz[], p_kinds text[], p_guesses_limit integer,
  p_subject_prefix text, p_subject_limit integer, p_window_seconds integer
) RETURNS TABLE (
  place integer, :flow_state, challenge_id text, kind text, sent_to text, sent_version integer, guesses_left integer,
  retry_after integer
) LANGUAGE plpgsql
:nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_count integer := cardinality(p_flows);
  v_sent_in text[] := array_fill(NULL::text, ARRAY[v_count]);
  v_identifiers text[] := array_fill(NULL::text, ARRAY[v_count]);
  v_subjects bytea[] := array_fill(NULL::bytea, ARRAY[v_count]);
  v_guessed challenges[] := array_fill(NULL::challenges, ARRAY[v_count]);
  v_waits integer[] := array_fill(NULL::integer, ARRAY[v_count]);
  v_challenge challenges;
  v_flow text;
  v_identifier text;
  v_place integer;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. v_count LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    SELECT coalesce(f.continues, f.id), f.identifier INTO v_flow, v_identifier FROM login_flows f
     WHERE f.tenant_id = p_tenants[i] AND f.id = p_flows[i] AND f.token_hash = p_token_hashes[i] AND f.ended_at IS NULL
       AND f.expires_at > p_now[i];
    v_sent_in[i] := v_flow;
    v_identifiers[i] := v_identifier;
  END LOOP;
  -- Challenges are locked before counters, both in sorted order, so that concurrent calls cannot deadlock.
  FOR v_place IN
    SELECT n::integer FROM unnest(p_tenants, v_sent_in) WITH ORDINALITY AS guess (tenant_id, sent_in, n)
     WHERE sent_in IS NOT NULL ORDER BY tenant_id, sent_in, n
  LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[v_place], true);
    UPDATE challenges c SET guesses = c.guesses + 1
     WHERE c.tenant_id = p_tenants[v_place] AND c.flow_id = v_sent_in[v_place] AND c.kind = ANY (p_kinds)
       AND c.guesses < p_guesses_limit AND c.used_at IS NULL AND c.expires_at > p_now[v_place]
    RETURNING c.* INTO v_challenge;
    IF FOUND THEN
      v_guessed[v_place] := v_challenge;
      v_subjects[v_place] := sha256(convert_to(p_subject_prefix || v_identifiers[v_place], 'UTF8'));
    END IF;
  END LOOP;
  FOR v_place IN
    SELECT n::integer FROM unnest(p_tenants, v_subjects) WITH ORDINALITY AS guess (tenant_id, subject, n)
     WHERE subject IS NOT NULL ORDER BY tenant_id, subject, n
  LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[v_place], true);
    v_waits[v_place] := kw_count_attempt(
      p_tenants[v_place], v_subjects[v_place], p_subject_limit, p_window_seconds, p_now[v_place]);
    -- A code that is not compared uses no guess, since the last guess also ends the link.
    IF v_waits[v_place] IS NOT NULL THEN
      UPDATE challenges c SET guesses = c.guesses - 1
       WHERE c.tenant_id = p_tenants[v_place] AND c.id = v_guessed[v_place].id;
    END IF;
  END LOOP;
  RETURN QUERY
  SELECT input.n::integer, found.*, v_guessed[input.n].id, v_guessed[input.n].kind, v_guessed[input.n].user_id,
         v_guessed[input.n].auth_version, p_guesses_limit - v_guessed[input.n].guesses, v_waits[input.n]
    FROM unnest(p_tenants, p_flows, p_token_hashes) WITH ORDINALITY AS input (tenant_id, flow, token_hash, n)
   CROSS JOIN LATERAL kw_find_flow_state(input.tenant_id, input.flow, input.token_hash) AS found;
END
$$;
