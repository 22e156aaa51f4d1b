-- Counts one attempt of a subject within its window. Returns NULL if it is admitted, otherwise the seconds to wait. A
-- single conditional statement decides, so that parallel attempts cannot exceed the limit.
-- caller: none
CREATE OR REPLACE FUNCTION kw_count_attempt(
  p_tenant text, p_subject bytea, p_limit integer, p_window_seconds integer, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_ends_at timestamptz := p_now + make_interval(secs => p_window_seconds);
BEGIN
  INSERT INTO login_attempts AS a VALUES (p_tenant, p_subject, p_now, v_ends_at, 1)
  ON CONFLICT (tenant_id, subject) DO UPDATE SET
    attempts = CASE WHEN a.window_ends_at <= p_now THEN 1 ELSE a.attempts + 1 END,
    window_started_at = CASE WHEN a.window_ends_at <= p_now THEN p_now ELSE a.window_started_at END,
    window_ends_at = CASE WHEN a.window_ends_at <= p_now THEN v_ends_at ELSE a.window_ends_at END
  WHERE a.window_ends_at <= p_now OR a.attempts < p_limit;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT greatest(1, ceil(extract(epoch FROM window_ends_at - p_now)))
            FROM login_attempts WHERE tenant_id = p_tenant AND subject = p_subject);
END
$$;
