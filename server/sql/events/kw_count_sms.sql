-- Counts text messages to a country that were sent, and codes of them that were used. After 50, of which enough were used,
-- counting begins anew; until it is paused, a country of which too few were goes on being counted.
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
