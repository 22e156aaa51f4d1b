-- Counts the text messages sent to a country, and how many of their codes were used. After 50 messages the count
-- restarts if enough codes were used; otherwise it continues until the country is paused.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_count_sms(p_tenant text, p_country text, p_sent integer, p_redeemed integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  INSERT INTO sms_traffic AS t (tenant_id, country, sent, redeemed) VALUES (p_tenant, p_country, p_sent, p_redeemed)
  ON CONFLICT (tenant_id, country) DO UPDATE SET
    sent = p_sent + CASE
      WHEN p_sent > 0 AND t.sent >= 50 AND NOT kw_is_sms_failing(t.sent, t.redeemed) THEN 0 ELSE t.sent END,
    redeemed = p_redeemed + CASE
      WHEN p_sent > 0 AND t.sent >= 50 AND NOT kw_is_sms_failing(t.sent, t.redeemed) THEN 0 ELSE t.redeemed END;
END
$$;
