-- Counts a subject's attempt at something other than a login.
-- caller: writing
-- null: answer
CREATE OR REPLACE FUNCTION kw_admit_attempt(
  p_tenant text, p_subject bytea, p_limit integer, p_window_seconds integer, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN kw_count_attempt(p_tenant, p_subject, p_limit, p_window_seconds, p_now);
END
$$;
