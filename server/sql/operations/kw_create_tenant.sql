-- Creates a tenant in one round trip: its row, data key, first signing key, first workspace, built-in roles and
-- domains, and the first entry of its audit log. p_work: the entries about this work for the log of the default
-- tenant; '[]' if the transaction has already written them. Returns NULL if the tenant was created. Otherwise nothing
-- was written, because data keys are wrapped by another master key, whose name is returned. A slug or domain that is
-- taken raises KW001 with slug_taken or domain_taken, so that everything is rolled back.
-- caller: writing
-- null: answer
CREATE OR REPLACE FUNCTION kw_create_tenant(
  p_work jsonb, p_tenant text, p_name text, p_settings jsonb, p_wrapped_key bytea, p_master_key_id text,
  p_kid text, p_public_key text, p_private_key bytea, p_roles jsonb, p_domains text[], p_now timestamptz,
  p_entries jsonb
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_master_key_id text;
BEGIN
  PERFORM set_config('role', 'keywright_system', true);
  -- A concurrent change of the master key waits for this commit, and so includes every data key wrapped before.
  SELECT i.master_key_id INTO v_master_key_id FROM installation i FOR SHARE;
  IF v_master_key_id IS DISTINCT FROM p_master_key_id THEN
    RETURN coalesce(v_master_key_id, '');
  END IF;
  PERFORM kw_record_system_work(p_work);
  INSERT INTO tenants (tenant_id, name, config, branding, messaging, created_at)
  VALUES (p_tenant, p_name, p_settings -> 'config', p_settings -> 'branding', p_settings -> 'messaging', p_now)
  ON CONFLICT (tenant_id) DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'slug_taken' USING ERRCODE = 'KW001';
  END IF;
  -- After the insert: a deletion that ends meanwhile has written this before it released the row.
  IF EXISTS (SELECT FROM former_tenants f WHERE f.id = p_tenant) THEN
    RAISE EXCEPTION 'slug_taken' USING ERRCODE = 'KW001';
  END IF;
  INSERT INTO tenant_domains (tenant_id, domain)
  SELECT p_tenant, domain FROM unnest(p_domains) AS domain ON CONFLICT DO NOTHING;
  IF (SELECT count(*) FROM tenant_domains WHERE tenant_id = p_tenant) < cardinality(p_domains) THEN
    RAISE EXCEPTION 'domain_taken' USING ERRCODE = 'KW001';
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
  RETURN NULL;
END
$$;
