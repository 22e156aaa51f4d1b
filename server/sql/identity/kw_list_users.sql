-- Returns pages of users, each found within its tenant. Pages are grouped by tenant: one row for each tenant, with the
-- IDs of its pages in order, the size of each page, and the number of users, counted up to p_count_up_to. Uses generic
-- plans, because planning for the values of each call would be most of the work.
-- caller: writing
-- type answer: { readonly ids: readonly UserId[]; readonly sizes: readonly number[]; readonly counted: readonly number[]; readonly records: kw_user_records }
CREATE OR REPLACE FUNCTION kw_list_users(
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
        v_tenant, p_fields[v_at], p_descending[v_at], p_values[v_at], p_ids[v_at], p_skips[v_at], p_limits[v_at]);
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
