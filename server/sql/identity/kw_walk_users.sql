-- Returns the IDs of users with a substring in an email address, after an ID and an offset: identifiers are scanned
-- from one end of the index in the order of IDs. Any other plan would read all of them first. With p_name, the substring
-- can be in any identifier, or p_name in a name. The caller has entered the tenant.
-- caller: none
-- null: p_name
CREATE OR REPLACE FUNCTION kw_walk_users(
  p_tenant text, p_part text, p_name text, p_descending boolean, p_id text, p_skip integer, p_limit integer
) RETURNS text[] LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET enable_hashagg = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- A scalar subquery, because PostgreSQL could evaluate EXISTS for all users first.
  IF p_name IS NOT NULL AND p_descending THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND u.id < p_id
         AND (strpos(u.name_key, p_name) > 0 OR (
           SELECT true FROM user_identifiers i
            WHERE i.tenant_id = p_tenant AND i.user_id = u.id AND strpos(i.identifier, p_part) > 0 LIMIT 1))
       ORDER BY u.id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_name IS NOT NULL THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND u.id > p_id
         AND (strpos(u.name_key, p_name) > 0 OR (
           SELECT true FROM user_identifiers i
            WHERE i.tenant_id = p_tenant AND i.user_id = u.id AND strpos(i.identifier, p_part) > 0 LIMIT 1))
       ORDER BY u.id OFFSET p_skip LIMIT p_limit);
  ELSIF p_descending THEN
    RETURN ARRAY(
      SELECT DISTINCT i.user_id FROM user_identifiers i
       WHERE i.tenant_id = p_tenant AND i.user_id < p_id AND i.type = 'email' AND strpos(i.identifier, p_part) > 0
       ORDER BY i.user_id DESC OFFSET p_skip LIMIT p_limit);
  END IF;
  RETURN ARRAY(
    SELECT DISTINCT i.user_id FROM user_identifiers i
     WHERE i.tenant_id = p_tenant AND i.user_id > p_id AND i.type = 'email' AND strpos(i.identifier, p_part) > 0
     ORDER BY i.user_id OFFSET p_skip LIMIT p_limit);
END
$$;
