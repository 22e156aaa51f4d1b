-- Discounts a successful attempt. The caller has entered the tenant.
-- caller: none
CREATE OR REPLACE FUNCTION kw_give_back_attempt(p_tenant text, p_subject bytea, p_now timestamptz)
RETURNS void LANGUAGE sql AS $$
  UPDATE login_attempts SET attempts = attempts - 1
   WHERE tenant_id = p_tenant AND subject = p_subject AND attempts > 0 AND window_ends_at > p_now
$$;
