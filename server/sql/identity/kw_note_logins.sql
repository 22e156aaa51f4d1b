-- Records when users last logged in. Skips users deleted meanwhile.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note_logins(p_tenants text[], p_users text[], p_minutes timestamptz[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    INSERT INTO user_logins AS known (tenant_id, user_id, last_login_at)
    SELECT u.tenant_id, u.id, p_minutes[i] FROM users u
     WHERE u.tenant_id = p_tenants[i] AND u.id = p_users[i] FOR KEY SHARE
        ON CONFLICT (tenant_id, user_id) DO UPDATE SET last_login_at = excluded.last_login_at
     WHERE known.last_login_at < excluded.last_login_at;
  END LOOP;
END
$$;
