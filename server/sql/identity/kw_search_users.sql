-- Finds users with a substring in an email address, in an order, after a value and an ID and an offset. An ID starts with
-- the creation time, so the order of age is the order of IDs, and p_value is empty then. The substring operator is not
-- leakproof, so PostgreSQL does not use the trigram index under a row-level security policy: the statement that finds
-- IDs runs as keywright_system and filters by tenant itself. The users are then read within the tenant. p_rare:
-- a pattern for a short and rare part of the substring, or the characters and pairs of characters (kw_grams) of a part
-- that has no trigram. p_also: a pattern for another part. With p_name, which has no accents, it also finds phone
-- numbers, and users with p_name in their name; p_name_rare is the same for p_name. p_users: the approximate number of
-- users of the tenant. If p_most addresses or names match, no more of them are read, and the answer is NULL. With
-- p_limit 0, it returns the IDs of all matches without an order, and no records.
-- caller: alone
-- null: p_also, p_name
-- type answer: { readonly ids: readonly UserId[]; readonly counted: number; readonly records: kw_user_records } | null
CREATE OR REPLACE FUNCTION kw_search_users(
  p_tenant text, p_rare text[], p_also text, p_part text, p_name text, p_name_rare text[], p_field text,
  p_descending boolean, p_value text, p_id text, p_skip integer, p_limit integer, p_users integer, p_most integer
) RETURNS json LANGUAGE plpgsql STABLE
-- Starting parallel workers, or JIT compilation, takes longer than most searches.
SET max_parallel_workers_per_gather = 0 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_set text;
  v_all real;
  v_bytes bigint;
  v_among_all boolean;
  v_owned text;
  v_of_identifier text := 'NULL';
  v_of_name text := 'NULL';
  v_key text := '''''';
  v_order text := CASE WHEN p_descending THEN ' DESC' ELSE '' END;
  v_counted integer;
  v_ids text[];
BEGIN
  v_set := set_config('role', 'keywright_system', true);
  SELECT c.reltuples, c.relpages * current_setting('block_size')::bigint INTO v_all, v_bytes
    FROM pg_class c WHERE c.oid = 'user_identifiers'::regclass;
  -- Whether a row belongs to the tenant is looked up in the same index, which takes longer the more such rows there
  -- are. If they are a quarter of all rows, checking the found rows is faster.
  v_among_all := v_all < 4.0 * p_users;
  -- PostgreSQL 18 prefetches pages by I/O workers. If the operating system probably caches the whole table, reading
  -- directly is faster than waking a worker.
  IF v_bytes < pg_size_bytes(current_setting('effective_cache_size')) / 4 THEN
    v_set := set_config('effective_io_concurrency', '0', true);
  END IF;
  -- Planned for this pattern. Without statistics, a pair of characters is estimated to match many rows.
  IF least(length(p_rare[1]), length(p_name_rare[1])) <= 2 THEN
    v_set := set_config('enable_seqscan', 'off', true);
    v_set := set_config('enable_indexscan', 'off', true);
    v_set := set_config('enable_indexonlyscan', 'off', true);
  END IF;
  v_owned := CASE WHEN v_among_all THEN 'tenant_id || ''''' ELSE 'tenant_id' END || ' = $1';
  -- The row that matches has the sort key, or it is looked up.
  IF p_field = 'name' THEN
    v_of_name := 'u.name_key';
    v_key := 'coalesce(f.key, (SELECT u.name_key FROM users u WHERE u.tenant_id = $1 AND u.id = f.user_id))';
  ELSIF p_field = 'identifier' THEN
    v_of_identifier := 'CASE WHEN i.position = 0 THEN i.identifier END';
    v_key := 'coalesce(f.key, (
      SELECT i.identifier FROM user_identifiers i WHERE i.tenant_id = $1 AND i.user_id = f.user_id AND i.position = 0))';
  ELSIF p_field = 'last_login_at' THEN
    v_key := '(
      SELECT coalesce(to_char(nullif(l.last_login_at, ''-infinity'') AT TIME ZONE ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"''),
                      ''-infinity'')
        FROM user_logins l WHERE l.tenant_id = $1 AND l.user_id = f.user_id)';
  END IF;
  EXECUTE 'WITH hits AS MATERIALIZED (
      (SELECT i.user_id, ' || v_of_identifier || ' AS key, false AS is_name FROM user_identifiers i
        WHERE ' || v_owned || ' AND ' || CASE WHEN length(p_rare[1]) > 2 THEN 'i.identifier LIKE $2[1]' ELSE 'kw_grams(i.identifier) @> $2' END
         || CASE WHEN p_name IS NULL THEN ' AND i.type = ''email''' ELSE '' END
         || CASE WHEN p_also IS NULL THEN '' ELSE ' AND i.identifier LIKE $3' END || '
          AND strpos(i.identifier, $4) > 0
        LIMIT $5)' || CASE WHEN p_name IS NULL THEN '' ELSE '
      UNION ALL
      (SELECT u.id, ' || v_of_name || ', true FROM users u
        WHERE ' || v_owned || ' AND u.name IS NOT NULL AND '
         || CASE WHEN length(p_name_rare[1]) > 2 THEN 'u.name_key LIKE $6[1]' ELSE 'kw_grams(u.name_key) @> $6' END || ' AND strpos(u.name_key, $7) > 0
        LIMIT $5)' END || '
    ), found AS MATERIALIZED (
      SELECT h.user_id, max(h.key COLLATE "C") AS key FROM hits h GROUP BY h.user_id
    )
    SELECT (SELECT count(*) FROM found), CASE WHEN $8 = 0 THEN ARRAY(SELECT f.user_id FROM found f) ELSE ARRAY(
        SELECT s.user_id FROM (SELECT f.user_id, ' || v_key || ' COLLATE "C" AS key FROM found f) AS s
         WHERE (s.key, s.user_id) ' || CASE WHEN p_descending THEN '<' ELSE '>' END || ' ($9, $10)
         ORDER BY s.key' || v_order || ', s.user_id' || v_order || ' OFFSET $11 LIMIT $8) END
      FROM (SELECT count(*) FILTER (WHERE h.is_name) AS names, count(*) AS number FROM hits h) AS counted
     WHERE greatest(counted.names, counted.number - counted.names) < $5'
    INTO v_counted, v_ids
    USING p_tenant, p_rare, p_also, p_part, p_most, p_name_rare, p_name, p_limit, p_value, p_id, p_skip;
  v_set := set_config('enable_seqscan', 'on', true);
  v_set := set_config('enable_indexscan', 'on', true);
  v_set := set_config('enable_indexonlyscan', 'on', true);
  v_set := set_config('keywright.tenant_id', p_tenant, true);
  v_set := set_config('role', 'keywright_tenant', true);
  RETURN CASE WHEN v_ids IS NOT NULL THEN json_build_object(
    'ids', v_ids, 'records', kw_user_records(p_tenant, CASE WHEN p_limit = 0 THEN '{}' ELSE v_ids END),
    'counted', v_counted) END;
END
$$;
