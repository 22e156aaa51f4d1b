-- Lists of users: several pages in one round trip, and searches that ask the index on parts less.

DROP FUNCTION kw_list_users;
DROP FUNCTION kw_search_users;

-- The ids of a page: those after a value and an id, and after so many more. With a part, only users with an e-mail
-- address that has it; they are looked for one after the other, in the order of age. The caller has entered the
-- tenant, and asks for general plans.
CREATE FUNCTION kw_user_page(
  p_tenant text, p_field text, p_descending boolean, p_value text, p_id text, p_part text,
  p_skip integer, p_limit integer
) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_part IS NOT NULL AND p_descending THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) < (p_value::timestamptz, p_id) AND (
         SELECT bool_or(strpos(i.identifier, p_part) > 0) FROM user_identifiers i
          WHERE i.tenant_id = p_tenant AND i.user_id = u.id AND i.type = 'email')
       ORDER BY u.created_at DESC, u.id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_part IS NOT NULL THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) > (p_value::timestamptz, p_id) AND (
         SELECT bool_or(strpos(i.identifier, p_part) > 0) FROM user_identifiers i
          WHERE i.tenant_id = p_tenant AND i.user_id = u.id AND i.type = 'email')
       ORDER BY u.created_at, u.id OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'created_at' AND p_descending THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) < (p_value::timestamptz, p_id)
       ORDER BY u.created_at DESC, u.id DESC OFFSET p_skip LIMIT p_limit);
  ELSIF p_field = 'created_at' THEN
    RETURN ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND (u.created_at, u.id) > (p_value::timestamptz, p_id)
       ORDER BY u.created_at, u.id OFFSET p_skip LIMIT p_limit);
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

-- What is shown of these users: for each table its columns, one array each, in no order. The caller has entered the
-- tenant, and asks for general plans.
CREATE FUNCTION kw_user_records(p_tenant text, p_ids text[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT json_build_object(
    'users', (
      SELECT json_build_array(array_agg(u.id), array_agg(u.is_active), array_agg(u.created_at), array_agg(u.metadata))
        FROM users u WHERE u.tenant_id = p_tenant AND u.id = ANY (p_ids)),
    'identifiers', (
      SELECT json_build_array(
               array_agg(i.user_id), array_agg(i.type), array_agg(i.identifier), array_agg(i.verified),
               array_agg(i.position))
        FROM user_identifiers i WHERE i.tenant_id = p_tenant AND i.user_id = ANY (p_ids)),
    'roles', (
      SELECT json_build_array(array_agg(r.user_id), array_agg(r.role))
        FROM user_roles r WHERE r.tenant_id = p_tenant AND r.user_id = ANY (p_ids)),
    'workspaces', (
      SELECT json_build_array(array_agg(m.user_id), array_agg(m.workspace_id), array_agg(m.position))
        FROM workspace_members m WHERE m.tenant_id = p_tenant AND m.user_id = ANY (p_ids))));
END
$$;

-- Pages of users, each found as its own tenant. Those of a tenant stand together: one answer for each tenant, with the
-- ids of its pages in their order, one after the other, how many each page has, and how many users there are in all,
-- looking at no more than p_count_up_to. One general plan for each statement: with a plan made for the numbers of
-- each call, planning would be most of the work.
CREATE FUNCTION kw_list_users(
  p_tenants text[], p_fields text[], p_descending boolean[], p_values text[], p_ids text[],
  p_skips integer[], p_limits integer[], p_count_up_to integer[]
) RETURNS SETOF json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_tenant text := set_config('role', 'keywright_tenant', true);
  v_at integer := 1;
  v_page text[];
  v_ids text[];
  v_sizes integer[];
  v_count integer;
  v_counted integer[];
BEGIN
  WHILE v_at <= cardinality(p_tenants) LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[v_at], true);
    v_ids := '{}';
    v_sizes := '{}';
    v_counted := '{}';
    WHILE p_tenants[v_at] = v_tenant LOOP
      v_page := kw_user_page(
        v_tenant, p_fields[v_at], p_descending[v_at], p_values[v_at], p_ids[v_at], NULL,
        p_skips[v_at], p_limits[v_at]);
      v_count := 0;
      IF p_count_up_to[v_at] > 0 THEN
        SELECT count(*) INTO v_count FROM (
          SELECT FROM users u WHERE u.tenant_id = v_tenant LIMIT p_count_up_to[v_at]) AS counted_ones;
      END IF;
      v_ids := v_ids || v_page;
      v_sizes := v_sizes || cardinality(v_page);
      v_counted := v_counted || v_count;
      v_at := v_at + 1;
    END LOOP;
    RETURN NEXT json_build_object(
      'ids', v_ids, 'sizes', v_sizes, 'counted', v_counted, 'records', kw_user_records(v_tenant, v_ids));
  END LOOP;
END
$$;

-- Users with a part in an e-mail address. Comparing parts is not leakproof, so PostgreSQL uses the index on parts for
-- nobody whose rows a policy picks out: the statement that finds ids runs as keywright_system and names the tenant
-- itself. Which of them are a page, and whether they are there, is then read as the tenant. p_rare and p_also: patterns
-- for some of the part, short and rare, since the index takes longer the more it is asked; without p_rare, users are
-- looked for one after the other and not counted. So they are where there are more than p_most; those are counted,
-- looking at no more than p_count_up_to. p_users: how many users the tenant has, about.
CREATE FUNCTION kw_search_users(
  p_tenant text, p_rare text, p_also text, p_part text, p_descending boolean, p_value text, p_id text,
  p_skip integer, p_limit integer, p_users integer, p_most integer, p_count_up_to integer
) RETURNS json LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_set text;
  v_among_all boolean;
  v_found text[];
  v_counted integer;
  v_ids text[];
BEGIN
  IF p_rare IS NOT NULL THEN
    -- To wake helpers for one search takes longer than most of them.
    v_set := set_config('max_parallel_workers_per_gather', '0', true);
    v_set := set_config('role', 'keywright_system', true);
    -- That this is a row of the tenant is looked up in the same index, which takes longer the more such rows there
    -- are. Where a quarter of all rows are, it is seen sooner of the rows that were found.
    v_among_all := (SELECT c.reltuples < 4.0 * p_users FROM pg_class c WHERE c.oid = 'user_identifiers'::regclass);
    -- Planned for these very patterns.
    EXECUTE 'SELECT array_agg(DISTINCT found.user_id) FROM (
        SELECT i.user_id FROM user_identifiers i
         WHERE ' || CASE WHEN v_among_all THEN 'i.tenant_id || ''''' ELSE 'i.tenant_id' END || ' = $1
           AND i.type = ''email'' AND i.identifier LIKE $2'
           || CASE WHEN p_also IS NULL THEN '' ELSE ' AND i.identifier LIKE $3' END || '
           AND strpos(i.identifier, $4) > 0
         LIMIT $5) AS found' INTO v_found USING p_tenant, p_rare, p_also, p_part, p_count_up_to;
    v_counted := coalesce(cardinality(v_found), 0);
  END IF;
  v_set := set_config('keywright.tenant_id', p_tenant, true);
  v_set := set_config('role', 'keywright_tenant', true);
  IF v_counted <= p_most THEN
    v_ids := ARRAY(
      SELECT u.id FROM users u
       WHERE u.tenant_id = p_tenant AND u.id = ANY (v_found)
         AND CASE WHEN p_descending THEN (u.created_at, u.id) < (p_value::timestamptz, p_id)
                  ELSE (u.created_at, u.id) > (p_value::timestamptz, p_id) END
       ORDER BY CASE WHEN p_descending THEN u.created_at END DESC, CASE WHEN p_descending THEN u.id END DESC,
                u.created_at, u.id
       OFFSET p_skip LIMIT p_limit);
  ELSE
    v_ids := kw_user_page(p_tenant, 'created_at', p_descending, p_value, p_id, p_part, p_skip, p_limit);
  END IF;
  RETURN json_build_object('ids', v_ids, 'counted', v_counted, 'records', kw_user_records(p_tenant, v_ids));
END
$$;
