-- Every p_step-th user in an order, so that a distant page is found without counting up to it; the last row has the
-- number of users, without a value.
-- caller: transaction
-- null: value, id
CREATE OR REPLACE FUNCTION kw_user_checkpoints(p_tenant text, p_field text, p_step integer)
RETURNS TABLE (value text, id text, passed integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_time timestamptz := '-infinity';
BEGIN
  PERFORM kw_enter(p_tenant);
  value := '';
  id := '';
  passed := 0;
  LOOP
    IF p_field = 'created_at' THEN
      SELECT u.created_at, u.id INTO v_time, id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) > (v_time, kw_user_checkpoints.id)
       ORDER BY u.created_at, u.id OFFSET p_step - 1 LIMIT 1;
    ELSIF p_field = 'last_login_at' THEN
      SELECT l.last_login_at, l.user_id INTO v_time, id FROM user_logins l
       WHERE l.tenant_id = p_tenant AND (l.last_login_at, l.user_id) > (v_time, kw_user_checkpoints.id)
       ORDER BY l.last_login_at, l.user_id OFFSET p_step - 1 LIMIT 1;
    ELSIF p_field = 'name' THEN
      SELECT u.name_key, u.id INTO value, id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.name_key, u.id) > (kw_user_checkpoints.value, kw_user_checkpoints.id)
       ORDER BY u.name_key, u.id OFFSET p_step - 1 LIMIT 1;
    ELSE
      SELECT i.identifier, i.user_id INTO value, id FROM user_identifiers i
       WHERE i.tenant_id = p_tenant AND i.position = 0
         AND (i.identifier, i.user_id) > (kw_user_checkpoints.value, kw_user_checkpoints.id)
       ORDER BY i.identifier, i.user_id OFFSET p_step - 1 LIMIT 1;
    END IF;
    EXIT WHEN NOT FOUND;
    passed := passed + p_step;
    IF v_time = '-infinity' AND p_field = 'last_login_at' THEN
      value := v_time;
    ELSIF p_field IN ('created_at', 'last_login_at') THEN
      value := to_char(v_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
    END IF;
    RETURN NEXT;
  END LOOP;
  SELECT count(*) INTO passed FROM users u WHERE u.tenant_id = p_tenant;
  value := NULL;
  id := NULL;
  RETURN NEXT;
END
$$;
