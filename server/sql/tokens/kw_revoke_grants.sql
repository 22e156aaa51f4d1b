-- Sets the bits of these grants, and the bits of tokens that depend on them together with other grants.
-- caller: none
CREATE OR REPLACE FUNCTION kw_revoke_grants(p_tenant text, p_grants text[], p_indexes bigint[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_local bigint[];
  v_lists text[];
  v_list text;
  v_indexes bigint[];
BEGIN
  PERFORM set_config('keywright.tenant_id', p_tenant, true);
  SELECT array_agg(idx) INTO v_local FROM (
    SELECT idx FROM unnest(p_indexes) AS idx WHERE idx IS NOT NULL
    UNION
    SELECT d.idx FROM status_dependents d
     WHERE d.tenant_id = p_tenant AND d.grant_id = ANY (p_grants) AND d.list_tenant_id = p_tenant
  ) AS local;
  -- Always in this order, so that two calls cannot deadlock.
  SELECT array_agg(DISTINCT d.list_tenant_id ORDER BY d.list_tenant_id) INTO v_lists
    FROM status_dependents d
   WHERE d.tenant_id = p_tenant AND d.grant_id = ANY (p_grants) AND d.list_tenant_id <> p_tenant;
  IF v_local IS NOT NULL THEN
    PERFORM kw_revoke_bits(p_tenant, v_local);
  END IF;
  FOREACH v_list IN ARRAY coalesce(v_lists, '{}') LOOP
    PERFORM set_config('keywright.tenant_id', p_tenant, true);
    SELECT array_agg(DISTINCT d.idx) INTO v_indexes FROM status_dependents d
     WHERE d.tenant_id = p_tenant AND d.grant_id = ANY (p_grants) AND d.list_tenant_id = v_list;
    PERFORM kw_revoke_bits(v_list, v_indexes);
  END LOOP;
END
$$;
