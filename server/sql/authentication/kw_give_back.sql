-- Discounts a successful attempt.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_give_back(p_tenant text, p_subject bytea, p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  PERFORM kw_give_back_attempt(p_tenant, p_subject, p_now);
END
$$;
