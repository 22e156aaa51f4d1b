-- Returns what a node needs for the first request of a tenant: the tenant with this ID or domain, with its keys as in
-- kw_signing_keys. One row for each key; one row without a key if there is none.
-- caller: reading
-- null: p_id, p_domain, issuer, foreign_hashes, identity_providers, private_key, retired_at, wrapped_key, master_key_id
-- of tenants: foreign_hashes, identity_providers
-- when id: public_key, signs_from
-- type id: SigningKeyId
-- type config: Record<string, unknown>
CREATE OR REPLACE FUNCTION kw_load_tenant_and_providers(p_id text, p_domain text) RETURNS TABLE (
  tenant_id text, name text, config jsonb, issuer text, is_active boolean, has_mail_server boolean,
  foreign_hashes jsonb, identity_providers jsonb, id text, public_key text, private_key bytea, signs_from timestamptz, retired_at timestamptz,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := p_id;
BEGIN
  IF v_tenant IS NULL THEN
    PERFORM set_config('role', 'keywright_resolver', true);
    SELECT d.tenant_id INTO v_tenant FROM tenant_domains d WHERE d.domain = p_domain;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  PERFORM kw_enter(v_tenant);
  RETURN QUERY
  SELECT t.tenant_id, t.name, t.config, t.issuer, t.is_active,
         t.messaging #> '{email,smtp_host}' IS NOT NULL AND t.messaging #> '{email,from_address}' IS NOT NULL,
         t.foreign_hashes, t.identity_providers, k.id, k.public_key, k.private_key, k.signs_from, k.retired_at, d.wrapped_key, d.master_key_id
    FROM tenants t
    LEFT JOIN signing_keys k ON k.tenant_id = t.tenant_id AND k.algorithm = 'EdDSA'
    LEFT JOIN tenant_data_keys d ON d.tenant_id = t.tenant_id
   WHERE t.tenant_id = v_tenant AND t.deleted_at IS NULL
   ORDER BY k.signs_from DESC, k.id DESC;
END
$$;
