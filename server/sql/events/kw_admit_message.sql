-- Counts a request or a message against several limits, in an order that is the same for all of one kind, so that
-- concurrent calls cannot deadlock. Returns no row if it is admitted; otherwise place is the index of the refusing
-- limit, from 1, and retry_after the seconds to wait. Limits after that one are not counted. p_reserves: by how much a
-- limit is higher for a new network. NULL: this counter determines for the limits after it whether the network is new,
-- and refuses nothing.
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
