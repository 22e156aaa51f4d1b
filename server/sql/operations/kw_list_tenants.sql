-- Returns a page of the list of tenants: those after a time and an ID, skipping a number of them. The access is
-- recorded first, and committed with the response. An index alone determines which tenants are on the page and how
-- many exist, looking at no more than p_count_up_to; tenants before the page are not counted again, and only those on
-- the page are read. They are returned as JSON rows, in order. Each statement has one generic plan: planning for the
-- numbers of each call would be most of the work.
-- caller: writing
-- null: tenants
-- type p_moment: string
-- type tenants: [id: TenantId, name: string, config: Partial<TenantConfig>, branding: TenantBranding, messaging: TenantMessaging, issuer: string | null, isActive: boolean, createdAt: string, domains: string[]][]
CREATE OR REPLACE FUNCTION kw_list_tenants(
  p_entries jsonb, p_descending boolean, p_moment timestamptz, p_id text, p_skip integer, p_limit integer,
  p_count_up_to integer
) RETURNS TABLE (tenants json, counted integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_ids text[];
  v_known integer;
  v_last record;
BEGIN
  PERFORM kw_record_system_work(p_entries);
  IF p_descending THEN
    v_ids := ARRAY(
      SELECT t.tenant_id FROM tenants t
       WHERE t.deleted_at IS NULL AND (t.created_at, t.tenant_id) < (p_moment, p_id)
       ORDER BY t.created_at DESC, t.tenant_id DESC OFFSET p_skip LIMIT p_limit);
  ELSE
    v_ids := ARRAY(
      SELECT t.tenant_id FROM tenants t
       WHERE t.deleted_at IS NULL AND (t.created_at, t.tenant_id) > (p_moment, p_id)
       ORDER BY t.created_at, t.tenant_id OFFSET p_skip LIMIT p_limit);
  END IF;
  SELECT json_agg(json_build_array(
           t.tenant_id, t.name, t.config, t.branding, t.messaging, t.issuer, t.is_active, t.created_at,
           ARRAY(SELECT d.domain FROM tenant_domains d WHERE d.tenant_id = t.tenant_id ORDER BY d.domain)
         ) ORDER BY array_position(v_ids, t.tenant_id)) INTO tenants
    FROM tenants t WHERE t.tenant_id = ANY (v_ids);
  -- The offset is by row number from the start of the list: at least that many exist.
  v_known := CASE WHEN p_skip > 0 THEN p_skip + cardinality(v_ids) END;
  IF v_known IS NULL OR cardinality(v_ids) = 0 THEN
    SELECT count(*) INTO counted FROM (
      SELECT FROM tenants t WHERE t.deleted_at IS NULL ORDER BY t.created_at LIMIT p_count_up_to) AS counted_ones;
  ELSIF v_known >= p_count_up_to OR cardinality(v_ids) < p_limit THEN
    counted := least(v_known, p_count_up_to);
  ELSE
    SELECT t.created_at AS moment, t.tenant_id AS id INTO v_last
      FROM tenants t WHERE t.tenant_id = v_ids[cardinality(v_ids)];
    IF p_descending THEN
      SELECT v_known + count(*) INTO counted FROM (
        SELECT FROM tenants t
         WHERE t.deleted_at IS NULL AND (t.created_at, t.tenant_id) < (v_last.moment, v_last.id)
         ORDER BY t.created_at DESC, t.tenant_id DESC LIMIT p_count_up_to - v_known) AS counted_ones;
    ELSE
      SELECT v_known + count(*) INTO counted FROM (
        SELECT FROM tenants t
         WHERE t.deleted_at IS NULL AND (t.created_at, t.tenant_id) > (v_last.moment, v_last.id)
         ORDER BY t.created_at, t.tenant_id LIMIT p_count_up_to - v_known) AS counted_ones;
    END IF;
  END IF;
  RETURN NEXT;
END
$$;
