-- Work across tenants in few round trips.

-- Writes who works across tenants, and why, into the log of the default tenant. From here to the end of the
-- transaction the statement sees every tenant.
CREATE FUNCTION kw_record_system_work(p_entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter('org_default');
  PERFORM kw_record('org_default', p_entries, '[]');
  PERFORM set_config('role', 'keywright_system', true);
END
$$;

-- New rows go where there is room, which is all over the table, and each makes its page one that an index alone can't
-- speak for. Clearing that up after some hundred of them, and not after a fifth of the table, takes milliseconds.
ALTER TABLE tenants SET (
  autovacuum_vacuum_insert_threshold = 100, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0
);

-- A page of the list of tenants: those after a moment and an id, and after so many more. That somebody looked is
-- written first, and committed with the answer. Which tenants are on the page, and how many there are, looking at no
-- more than p_count_up_to, is told by an index alone; only those on the page are read. They come as rows of JSON in
-- their order. One general plan for each statement: with a plan made for the numbers of each call, planning would be
-- most of the work.
CREATE FUNCTION kw_list_tenants(
  p_entries jsonb, p_descending boolean, p_moment timestamptz, p_id text, p_skip integer, p_limit integer,
  p_count_up_to integer
) RETURNS TABLE (tenants json, counted integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_ids text[];
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
  SELECT count(*) INTO counted FROM (
    SELECT FROM tenants t WHERE t.deleted_at IS NULL ORDER BY t.created_at LIMIT p_count_up_to) AS counted_ones;
  RETURN NEXT;
END
$$;

-- The same as before, and the entry of the new tenant's own log.
DROP FUNCTION kw_create_tenant;
CREATE FUNCTION kw_create_tenant(
  p_tenant text, p_name text, p_settings jsonb, p_wrapped_key bytea, p_master_key_id text,
  p_kid text, p_public_key text, p_private_key bytea, p_roles jsonb, p_domains text[], p_now timestamptz,
  p_entries jsonb
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tenants (tenant_id, name, config, branding, messaging, created_at)
  VALUES (p_tenant, p_name, p_settings -> 'config', p_settings -> 'branding', p_settings -> 'messaging', p_now)
  ON CONFLICT (tenant_id) DO NOTHING;
  IF NOT FOUND THEN
    RETURN 'slug_taken';
  END IF;
  INSERT INTO tenant_domains (tenant_id, domain)
  SELECT p_tenant, domain FROM unnest(p_domains) AS domain ON CONFLICT DO NOTHING;
  IF (SELECT count(*) FROM tenant_domains WHERE tenant_id = p_tenant) < cardinality(p_domains) THEN
    RETURN 'domain_taken';
  END IF;
  INSERT INTO tenant_data_keys (tenant_id, wrapped_key, master_key_id, created_at)
  VALUES (p_tenant, p_wrapped_key, p_master_key_id, p_now);
  INSERT INTO signing_keys (tenant_id, id, algorithm, public_key, private_key, created_at, signs_from)
  VALUES (p_tenant, p_kid, 'EdDSA', p_public_key, p_private_key, p_now, p_now);
  INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
  VALUES (p_tenant, 'ws_default', 'Default Workspace', 'default', p_now);
  INSERT INTO roles (tenant_id, name, description, scopes, is_builtin, created_at)
  SELECT p_tenant, r.name, r.description, r.scopes, true, p_now
    FROM jsonb_to_recordset(p_roles) AS r (name text, description text, scopes text[]);
  PERFORM kw_enter(p_tenant);
  PERFORM kw_record(p_tenant, p_entries, '[]');
  PERFORM set_config('role', 'keywright_system', true);
  RETURN 'created';
END
$$;
