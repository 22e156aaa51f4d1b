-- Returns the IDs of a page: after a value and an ID, and an offset. The caller has entered the tenant and requested
-- generic plans.
-- caller: none
CREATE OR REPLACE FUNCTION kw_user_page(
  p_tenant text, p_field text, p_descending boolean, p_value text, p_id text, p_skip integer, p_limit integer
) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_field = 'created_at' AND p_descending THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) < (p_value::timestamptz, p_id)
       ORDER BY u.created_at DESC, u.id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'created_at' THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) > (p_value::timestamptz, p_id)
       ORDER BY u.created_at, u.id OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'name' AND p_descending THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.name_key, u.id) < (p_value, p_id)
       ORDER BY u.name_key DESC, u.id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'name' THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.name_key, u.id) > (p_value, p_id)
       ORDER BY u.name_key, u.id OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'last_login_at' AND p_descending THEN
    RETURN ARRAY(
      SELECT l.user_id FROM user_logins l
       WHERE l.tenant_id = p_tenant AND (l.last_login_at, l.user_id) < (p_value::timestamptz, p_id)
       ORDER BY l.last_login_at DESC, l.user_id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'last_login_at' THEN
    RETURN ARRAY(
      SELECT l.user_id FROM user_logins l
       WHERE l.tenant_id = p_tenant AND (l.last_login_at, l.user_id) > (p_value::timestamptz, p_id)
       ORDER BY l.last_login_at, l.user_id OFFSET p_skip LIMIT p_limit);
  ELSIF p_descending THEN
    RETURN ARRAY(
      SELECT i.user_id FROM user_identifiers i
       WHERE i.tenant_id = p_tenant AND i.position = 0 AND (i.identifier, i.user_id) < (p_value, p_id)
       ORDER BY i.identifier DESC, i.user_id DESC OFFSET p_skip LIMIT p_limit);
  END IF;
  RETURN ARRAY(
    SELECT i.user_id FROM user_identifiers i
     WHERE i.tenant_id = p_tenant AND i.position = 0 AND (i.identifier, i.user_id) > (p_value, p_id)
     ORDER BY i.identifier, i.user_id OFFSET p_skip LIMIT p_limit);
END
$$;
