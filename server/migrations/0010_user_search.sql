-- The list of users of tenants with many of them: the ADR on it has the plans and the figures.

-- Finds a part of an e-mail address. Both extensions come with PostgreSQL, and whoever may create something in the
-- database may create them. Where they are not, a search reads what it can't leave out.
DO $$
BEGIN
  IF (SELECT count(*) FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')) = 2 THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX user_identifiers_by_part ON user_identifiers
      USING gin (tenant_id, identifier gin_trgm_ops) WHERE type = 'email';
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'This database user may create no extensions: searches in large tenants are slow.'
    USING HINT = 'As its owner: GRANT CREATE ON DATABASE … TO …, before the migration.';
END
$$;

-- A page of a tenant's users: those after a value and an id, and after so many more. With a part, only users with an
-- e-mail address that has it; they are looked for one after the other. With ids, these users, in their order. Each kind
-- of what is shown comes as rows of JSON in the order of its columns, the users in the order of the page, the rest in
-- any order of users. counted: how many users there are in all, looking at no more than p_count_up_to. One general plan
-- for each statement: with a plan made for the numbers of each call, planning would be most of the work.
CREATE FUNCTION kw_list_users(
  p_tenant text, p_field text, p_descending boolean, p_value text, p_id text, p_part text,
  p_skip integer, p_limit integer, p_count_up_to integer, p_ids text[] DEFAULT NULL
) RETURNS TABLE (users json, identifiers json, roles json, workspaces json, counted integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_ids text[] := p_ids;
BEGIN
  PERFORM kw_enter(p_tenant);
  IF v_ids IS NOT NULL THEN
    NULL;
  ELSIF p_field = 'created_at' AND p_descending THEN
    v_ids := ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) < (p_value::timestamptz, p_id)
         AND (p_part IS NULL OR (
           SELECT bool_or(strpos(i.identifier, p_part) > 0) FROM user_identifiers i
            WHERE i.tenant_id = p_tenant AND i.user_id = u.id AND i.type = 'email'))
       ORDER BY u.created_at DESC, u.id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'created_at' THEN
    v_ids := ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) > (p_value::timestamptz, p_id)
         AND (p_part IS NULL OR (
           SELECT bool_or(strpos(i.identifier, p_part) > 0) FROM user_identifiers i
            WHERE i.tenant_id = p_tenant AND i.user_id = u.id AND i.type = 'email'))
       ORDER BY u.created_at, u.id OFFSET p_skip LIMIT p_limit);
  ELSIF p_descending THEN
    v_ids := ARRAY(
      SELECT i.user_id FROM user_identifiers i
       WHERE i.tenant_id = p_tenant AND i.position = 0 AND (i.identifier, i.user_id) < (p_value, p_id)
       ORDER BY i.identifier DESC, i.user_id DESC OFFSET p_skip LIMIT p_limit);
  ELSE
    v_ids := ARRAY(
      SELECT i.user_id FROM user_identifiers i
       WHERE i.tenant_id = p_tenant AND i.position = 0 AND (i.identifier, i.user_id) > (p_value, p_id)
       ORDER BY i.identifier, i.user_id OFFSET p_skip LIMIT p_limit);
  END IF;
  SELECT json_agg(json_build_array(u.id, u.is_active, u.created_at, u.metadata)
           ORDER BY array_position(v_ids, u.id)) INTO users
    FROM users u WHERE u.tenant_id = p_tenant AND u.id = ANY (v_ids);
  SELECT json_agg(json_build_array(i.user_id, i.type, i.identifier, i.verified) ORDER BY i.position)
    INTO identifiers
    FROM user_identifiers i WHERE i.tenant_id = p_tenant AND i.user_id = ANY (v_ids);
  SELECT json_agg(json_build_array(r.user_id, r.role) ORDER BY r.role) INTO roles
    FROM user_roles r WHERE r.tenant_id = p_tenant AND r.user_id = ANY (v_ids);
  SELECT json_agg(json_build_array(m.user_id, m.workspace_id) ORDER BY m.position) INTO workspaces
    FROM workspace_members m WHERE m.tenant_id = p_tenant AND m.user_id = ANY (v_ids);
  counted := 0;
  IF p_count_up_to > 0 THEN
    SELECT count(*) INTO counted FROM (
      SELECT FROM users u WHERE u.tenant_id = p_tenant LIMIT p_count_up_to) AS counted_ones;
  END IF;
  RETURN NEXT;
END
$$;

-- Users with a part in an e-mail address, by the index on parts. Comparing parts is not leakproof, so PostgreSQL uses
-- that index for nobody whose rows a policy picks out: the statement that finds ids runs as keywright_system and names
-- the tenant itself. Which of them are a page, and whether they are there, is then read as the tenant. p_rare: a
-- pattern for some of the part, short and rare, since the index takes longer the more it is asked. Where there are more
-- than p_most: just how many, looking at no more than p_count_up_to.
CREATE FUNCTION kw_search_users(
  p_tenant text, p_rare text, p_part text, p_descending boolean, p_value text, p_id text,
  p_skip integer, p_limit integer, p_most integer, p_count_up_to integer
) RETURNS TABLE (ids text[], counted integer) LANGUAGE plpgsql AS $$
DECLARE
  v_found text[];
BEGIN
  PERFORM set_config('role', 'keywright_system', true);
  -- Planned for this very pattern.
  EXECUTE 'SELECT array_agg(DISTINCT found.user_id) FROM (
      SELECT i.user_id FROM user_identifiers i
       WHERE i.tenant_id = $1 AND i.type = ''email'' AND i.identifier LIKE $2
         AND strpos(i.identifier, $3) > 0
       LIMIT $4) AS found' INTO v_found USING p_tenant, p_rare, p_part, p_count_up_to;
  PERFORM kw_enter(p_tenant);
  counted := coalesce(cardinality(v_found), 0);
  IF counted <= p_most THEN
    ids := ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND u.id = ANY (v_found)
         AND CASE WHEN p_descending THEN (u.created_at, u.id) < (p_value::timestamptz, p_id)
                  ELSE (u.created_at, u.id) > (p_value::timestamptz, p_id) END
       ORDER BY CASE WHEN p_descending THEN u.created_at END DESC, CASE WHEN p_descending THEN u.id END DESC,
                u.created_at, u.id
       OFFSET p_skip LIMIT p_limit);
  END IF;
  RETURN NEXT;
END
$$;

-- Every so manieth user in an order, so that a page far down is found without counting up to it; last, without a
-- value, how many there are.
CREATE FUNCTION kw_user_marks(p_tenant text, p_field text, p_step integer)
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
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) > (v_time, kw_user_marks.id)
       ORDER BY u.created_at, u.id OFFSET p_step - 1 LIMIT 1;
    ELSE
      SELECT i.identifier, i.user_id INTO value, id FROM user_identifiers i
       WHERE i.tenant_id = p_tenant AND i.position = 0
         AND (i.identifier, i.user_id) > (kw_user_marks.value, kw_user_marks.id)
       ORDER BY i.identifier, i.user_id OFFSET p_step - 1 LIMIT 1;
    END IF;
    EXIT WHEN NOT FOUND;
    passed := passed + p_step;
    IF p_field = 'created_at' THEN
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
