-- Writes a whole tenant in one round trip: itself, its data key, first signing key, first workspace, built-in roles,
-- domains, and the entry of its own log. As keywright_system. Answers created, slug_taken or domain_taken; the caller
-- rolls back unless it was created.
-- caller: transaction
-- type answer: 'created' | 'slug_taken' | 'domain_taken'
CREATE OR REPLACE FUNCTION kw_create_tenant(
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
  -- Behind the row: a deletion that ends meanwhile has written this before it gave the row up.
  IF EXISTS (SELECT FROM former_tenants f WHERE f.id = p_tenant) THEN
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
