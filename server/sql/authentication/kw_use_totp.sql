-- Replaced by kw_use_totps; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_use_totp(p_tenant text, p_user text, p_factor text, p_step bigint, p_now timestamptz)
RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Before the factors, as whoever removes them does; else each could wait for the other.
  PERFORM FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user FOR SHARE;
  UPDATE user_factors SET last_step = p_step, last_used_at = p_now, failures = 0
   WHERE tenant_id = p_tenant AND user_id = p_user AND id = p_factor AND confirmed_at IS NOT NULL
     AND last_step < p_step;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE user_factors SET failures = 0
   WHERE tenant_id = p_tenant AND user_id = p_user AND failures > 0 AND id <> p_factor;
  RETURN (SELECT auth_version FROM users WHERE tenant_id = p_tenant AND id = p_user);
END
$$;
