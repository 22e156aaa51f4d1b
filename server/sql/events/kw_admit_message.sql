-- Counts a request or a message against several limits, in their order, which is the same for all of one kind: of
-- concurrent ones none waits for another in a cycle. No row: it is admitted. Otherwise place is that of the limit that
-- refuses, from 1, and retry_after the seconds to wait; limits after it are not counted. p_reserves: by how much a limit is
-- higher for a network that is new. NULL: this counter tells whether it is new to the limits after it, and refuses nothing.
-- caller: writing
-- null: p_reserves
CREATE OR REPLACE FUNCTION kw_admit_message(
  p_tenant text, p_subjects bytea[], p_limits integer[], p_windows_seconds integer[], p_reserves integer[], p_now timestamptz
) RETURNS TABLE (place integer, retry_after integer) LANGUAGE plpgsql AS $$
DECLARE
  v_is_new boolean := false;
BEGIN
  PERFORM kw_enter(p_tenant);
  FOR i IN 1 .. cardinality(p_subjects) LOOP
    retry_after := kw_count_attempt(
      p_tenant, p_subjects[i], p_limits[i] + CASE WHEN v_is_new THEN coalesce(p_reserves[i], 0) ELSE 0 END,
      p_windows_seconds[i], p_now);
    IF p_reserves[i] IS NULL THEN
      v_is_new := retry_after IS NULL;
    ELSIF retry_after IS NOT NULL THEN
      place := i;
      RETURN NEXT;
      RETURN;
    END IF;
  END LOOP;
END
$$;
