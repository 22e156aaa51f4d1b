-- Whether text messages to a country must be paused: an attacker who requests messages to earn a share of their price
-- uses few of the codes.
-- caller: none
CREATE OR REPLACE FUNCTION kw_is_sms_failing(p_sent integer, p_redeemed integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_sent >= 50 AND p_redeemed * 5 < p_sent
$$;
