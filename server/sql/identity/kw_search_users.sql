-- Users with a part in an e-mail address, those after an id and after so many more, in the order of ids: an id begins with
-- the moment that its user was created at, so that is the order of age, and no user has to be read to be sorted.
-- Comparing parts is not leakproof, so PostgreSQL uses the index on parts for nobody whose rows a policy picks out: the
-- statement that finds ids runs as keywright_system and names the tenant itself. What is shown of them, and whether they
-- are there, is then read as the tenant. p_rare and p_also: patterns for some of the part, short and rare, since the
-- index takes longer the more it is asked; without p_rare, users are looked for one after the other and not counted. So
-- they are looked for where p_count_up_to addresses have the part: no more of them are read. p_users: how many users the
-- tenant has, about.
-- caller: alone
-- null: p_rare, p_also
CREATE OR REPLACE FUNCTION kw_search_users(
  p_tenant text, p_rare text, p_also text, p_part text, p_descending boolean, p_id text,
  p_skip integer, p_limit integer, p_users integer, p_count_up_to integer
) RETURNS json LANGUAGE plpgsql STABLE
-- To wake helpers for one search takes longer than most of them; so does to compile one.
SET max_parallel_workers_per_gather = 0 SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_set text;
  v_all real;
  v_bytes bigint;
  v_among_all boolean;
  v_found text[];
  v_rows integer;
  v_ids text[];
BEGIN
  IF p_rare IS NOT NULL THEN
    v_set := set_config('role', 'keywright_system', true);
    SELECT c.reltuples, c.relpages * current_setting('block_size')::bigint INTO v_all, v_bytes
      FROM pg_class c WHERE c.oid = 'user_identifiers'::regclass;
    -- That this is a row of the tenant is looked up in the same index, which takes longer the more such rows there
    -- are. Where a quarter of all rows are, it is seen sooner of the rows that were found.
    v_among_all := v_all < 4.0 * p_users;
    -- PostgreSQL 18 has helpers read pages ahead that it doesn't hold. Where the operating system is likely to hold the
    -- whole table, to take them from there oneself is sooner done than to wake anybody.
    IF v_bytes < pg_size_bytes(current_setting('effective_cache_size')) / 4 THEN
      v_set := set_config('effective_io_concurrency', '0', true);
    END IF;
    -- Planned for these very patterns.
    EXECUTE 'SELECT array_agg(DISTINCT found.user_id), count(*) FROM (
        SELECT i.user_id FROM user_identifiers i
         WHERE ' || CASE WHEN v_among_all THEN 'i.tenant_id || ''''' ELSE 'i.tenant_id' END || ' = $1
           AND i.type = ''email'' AND i.identifier LIKE $2'
           || CASE WHEN p_also IS NULL THEN '' ELSE ' AND i.identifier LIKE $3' END || '
           AND strpos(i.identifier, $4) > 0
         LIMIT $5) AS found' INTO v_found, v_rows USING p_tenant, p_rare, p_also, p_part, p_count_up_to;
  END IF;
  v_set := set_config('keywright.tenant_id', p_tenant, true);
  v_set := set_config('role', 'keywright_tenant', true);
  IF v_rows < p_count_up_to THEN
    IF p_descending THEN
      v_ids := ARRAY(
        SELECT f.id FROM unnest(v_found) AS f (id) WHERE f.id COLLATE "C" < p_id
         ORDER BY f.id COLLATE "C" DESC OFFSET p_skip LIMIT p_limit);
    ELSE
      v_ids := ARRAY(
        SELECT f.id FROM unnest(v_found) AS f (id) WHERE f.id COLLATE "C" > p_id
         ORDER BY f.id COLLATE "C" OFFSET p_skip LIMIT p_limit);
    END IF;
  ELSE
    v_ids := kw_walk_users(p_tenant, p_part, p_descending, p_id, p_skip, p_limit);
  END IF;
  RETURN json_build_object(
    'ids', v_ids, 'records', kw_user_records(p_tenant, v_ids),
    'counted', CASE WHEN v_rows < p_count_up_to THEN coalesce(cardinality(v_found), 0) ELSE v_rows END);
END
$$;
