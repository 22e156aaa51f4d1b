-- Appends an attempt to those of a delivery, and returns the last ten; without a time it appends nothing. Only the
-- beginning of each response is stored.
-- caller: none
CREATE OR REPLACE FUNCTION kw_attempts_after(
  p_history jsonb, p_at timestamptz, p_status integer, p_duration_ms integer, p_reason text, p_body text
) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_at IS NULL THEN p_history ELSE
    CASE WHEN jsonb_array_length(p_history) >= 10 THEN p_history - 0 ELSE coalesce(p_history, '[]') END
    || jsonb_build_array(jsonb_build_object(
      'at', to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', p_status,
      'duration_ms', p_duration_ms, 'reason', p_reason, 'body', left(p_body, 256)))
  END
$$;
