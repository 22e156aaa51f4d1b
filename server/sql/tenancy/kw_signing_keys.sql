-- The keys that sign a tenant's own tokens, the newest first, each with the data key that encrypts it.
-- caller: reading
-- null: private_key, retired_at, wrapped_key, master_key_id
-- type id: SigningKeyId
CREATE OR REPLACE FUNCTION kw_signing_keys(p_tenant text) RETURNS TABLE (
  tenant_id text, id text, public_key text, private_key bytea, signs_from timestamptz, retired_at timestamptz,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.tenant_id, k.id, k.public_key, k.private_key, k.signs_from, k.retired_at, d.wrapped_key, d.master_key_id
    FROM signing_keys k LEFT JOIN tenant_data_keys d ON d.tenant_id = k.tenant_id
   WHERE k.tenant_id = p_tenant AND k.algorithm = 'EdDSA' ORDER BY k.signs_from DESC, k.id DESC;
END
$$;
