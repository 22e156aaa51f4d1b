-- Returns a tenant's signing keys for tokens that applications verify, the newest first, without their private halves.
-- caller: reading
-- null: retired_at
-- type id: SigningKeyId
-- type algorithm: 'RS256' | 'ES256'
CREATE OR REPLACE FUNCTION kw_application_keys(p_tenant text) RETURNS TABLE (
  id text, algorithm text, public_key text, signs_from timestamptz, retired_at timestamptz
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.id, k.algorithm, k.public_key, k.signs_from, k.retired_at
    FROM signing_keys k
   WHERE k.tenant_id = p_tenant AND k.algorithm <> 'EdDSA' ORDER BY k.signs_from DESC, k.id DESC;
END
$$;
