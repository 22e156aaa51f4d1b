-- Pauses a country that is failing, and restarts its count. Returns nothing if it is not failing, or if another request
-- was faster.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_pause_sms(p_tenant text, p_country text, p_until timestamptz)
RETURNS TABLE (sent integer, redeemed integer) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  SELECT t.sent, t.redeemed INTO sent, redeemed FROM sms_traffic t
   WHERE t.tenant_id = p_tenant AND t.country = p_country AND kw_is_sms_failing(t.sent, t.redeemed)
     FOR UPDATE;
  IF FOUND THEN
    UPDATE sms_traffic t SET sent = 0, redeemed = 0, paused_until = p_until
     WHERE t.tenant_id = p_tenant AND t.country = p_country;
    RETURN NEXT;
  END IF;
END
$$;
