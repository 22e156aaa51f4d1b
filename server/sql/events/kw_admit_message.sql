-- Counts a message against several limits, in their order, which is the same for every message: of concurrent ones none
-- waits for another in a cycle. NULL: admitted. Otherwise: seconds to wait; limits after the one that refused are not
-- counted. The first p_own are of the tenant, the others of the installation, whose counters the default tenant holds.
-- caller: writing
-- null: answer
CREATE OR REPLACE FUNCTION kw_admit_message(
  p_tenant text, p_subjects bytea[], p_limits integer[], p_windows_seconds integer[], p_own integer, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_counted text := p_tenant;
  v_wait integer;
BEGIN
  PERFORM kw_enter(p_tenant);
  FOR i IN 1 .. cardinality(p_subjects) LOOP
    IF i = p_own + 1 THEN
      v_counted := 'org_default';
      PERFORM kw_enter(v_counted);
    END IF;
    v_wait := kw_count_attempt(v_counted, p_subjects[i], p_limits[i], p_windows_seconds[i], p_now);
    EXIT WHEN v_wait IS NOT NULL;
  END LOOP;
  PERFORM kw_enter(p_tenant);
  RETURN v_wait;
END
$$;
