-- Counts a text message to a country against its limits, as kw_admit_message does. retry_after: NULL if it is
-- admitted, otherwise the seconds to wait. is_failing: the message is refused because few codes of the last messages
-- to the country were used, so that the country must be paused. Nothing is counted in either case, or during a pause.
-- p_seen: each network of the address combined with the country, counted once a day. p_networks: the networks whose
-- countries are counted, the narrowest first.
-- caller: writing
-- null: retry_after, p_reserves
CREATE OR REPLACE FUNCTION kw_admit_sms(
  p_tenant text, p_country text, p_seen bytea[], p_networks bytea[], p_countries integer[], p_subjects bytea[],
  p_limits integer[], p_windows_seconds integer[], p_reserves integer[], p_now timestamptz
) RETURNS TABLE (retry_after integer, is_failing boolean) LANGUAGE plpgsql AS $$
DECLARE
  v_day constant integer := 86400;
  v_paused_until timestamptz;
BEGIN
  PERFORM kw_enter(p_tenant);
  SELECT t.paused_until, kw_is_sms_failing(t.sent, t.redeemed) INTO v_paused_until, is_failing FROM sms_traffic t
   WHERE t.tenant_id = p_tenant AND t.country = p_country;
  is_failing := coalesce(is_failing, false);
  IF v_paused_until > p_now THEN
    is_failing := false;
    retry_after := ceil(extract(epoch FROM v_paused_until - p_now));
  ELSIF NOT is_failing THEN
    FOR i IN 1 .. cardinality(p_seen) LOOP
      CONTINUE WHEN kw_count_attempt(p_tenant, p_seen[i], 1, v_day, p_now) IS NOT NULL;
      retry_after := kw_count_attempt(p_tenant, p_networks[i], p_countries[i], v_day, p_now);
      IF retry_after IS NOT NULL THEN
        -- One country too many: the network must not count as having used it, so that its next request is refused as
        -- well.
        DELETE FROM login_attempts a WHERE a.tenant_id = p_tenant AND a.subject = p_seen[i];
        EXIT;
      END IF;
    END LOOP;
    IF retry_after IS NULL THEN
      SELECT m.retry_after INTO retry_after
        FROM kw_admit_message(p_tenant, p_subjects, p_limits, p_windows_seconds, p_reserves, p_now) AS m;
    END IF;
  END IF;
  RETURN NEXT;
END
$$;
