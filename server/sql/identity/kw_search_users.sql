-- Finds users with a substring in an email address, after an ID and an offset, in the order of IDs: an ID starts with
-- the creation time, so this is the order of age, and no user must be read for sorting. The substring operator is not
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
  p_tenant text, p_rare text[], p_also text, p_part text, p_name text, p_name_rare text[], p_descending boolean, p_id text,
  p_skip integer, p_limit integer, p_users integer, p_most integer
) RETURNS json LANGUAGE plpgsql STABLE
-- Starting parallel workers, or JIT compilation, takes longer than most searches.
SET max_parallel_workers_per_gather = 0 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_set text;
  v_all real;
  v_bytes bigint;
  v_among_all boolean;
  v_owned text;
  v_found text[];
  v_rows integer;
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
  EXECUTE 'SELECT array_agg(DISTINCT found.user_id), greatest(count(*) - count(found.name), count(found.name)) FROM (
      (SELECT i.user_id, NULL AS name FROM user_identifiers i
        WHERE ' || v_owned || ' AND ' || CASE WHEN length(p_rare[1]) > 2 THEN 'i.identifier LIKE $2[1]' ELSE 'kw_grams(i.identifier) @> $2' END
         || CASE WHEN p_name IS NULL THEN ' AND i.type = ''email''' ELSE '' END
         || CASE WHEN p_also IS NULL THEN '' ELSE ' AND i.identifier LIKE $3' END || '
          AND strpos(i.identifier, $4) > 0
        LIMIT $5)' || CASE WHEN p_name IS NULL THEN '' ELSE '
      UNION ALL
      (SELECT u.id, u.name FROM users u
        WHERE ' || v_owned || ' AND u.name IS NOT NULL AND '
         || CASE WHEN length(p_name_rare[1]) > 2 THEN 'u.name_key LIKE $6[1]' ELSE 'kw_grams(u.name_key) @> $6' END || ' AND strpos(u.name_key, $7) > 0
        LIMIT $5)' END || ') AS found'
    INTO v_found, v_rows USING p_tenant, p_rare, p_also, p_part, p_most, p_name_rare, p_name;
  v_set := set_config('enable_seqscan', 'on', true);
  v_set := set_config('enable_indexscan', 'on', true);
  v_set := set_config('enable_indexonlyscan', 'on', true);
  v_set := set_config('keywright.tenant_id', p_tenant, true);
  v_set := set_config('role', 'keywright_tenant', true);
  IF v_rows >= p_most THEN
    RETURN NULL;
  ELSIF p_limit = 0 THEN
    v_ids := coalesce(v_found, '{}');
  ELSIF p_descending THEN
    v_ids := ARRAY(
      SELECT f.id FROM unnest(v_found) AS f (id) WHERE f.id COLLATE "C" < p_id
       ORDER BY f.id COLLATE "C" DESC OFFSET p_skip LIMIT p_limit);
  ELSE
    v_ids := ARRAY(
      SELECT f.id FROM unnest(v_found) AS f (id) WHERE f.id COLLATE "C" > p_id
       ORDER BY f.id COLLATE "C" OFFSET p_skip LIMIT p_limit);
  END IF;
  RETURN json_build_object(
    'ids', v_ids, 'records', kw_user_records(p_tenant, CASE WHEN p_limit = 0 THEN '{}' ELSE v_ids END),
    'counted', coalesce(cardinality(v_found), 0));
END
$$;
