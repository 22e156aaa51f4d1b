-- Records when a user last logged in, unless the user was deleted meanwhile.
-- caller: batched writing
CREATE OR REPLACE FUNCTION kw_touch_login(p_tenant text, p_user text, p_minute timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  INSERT INTO user_logins AS login (tenant_id, user_id, last_login_at)
  SELECT u.tenant_id, u.id, p_minute FROM users u WHERE u.tenant_id = v_tenant AND u.id = p_user FOR KEY SHARE
      ON CONFLICT (tenant_id, user_id) DO UPDATE SET last_login_at = excluded.last_login_at
   WHERE login.last_login_at < excluded.last_login_at;
END
$$;
