-- For nodes of the version before logins at identity providers.
-- caller: none
CREATE OR REPLACE FUNCTION kw_load_tenant_with_hashes(p_id text, p_domain text) RETURNS TABLE (
  tenant_id text, name text, config jsonb, issuer text, is_active boolean, has_mail_server boolean,
  foreign_hashes jsonb, id text, public_key text, private_key bytea, signs_from timestamptz, retired_at timestamptz,
  wrapped_key bytea, master_key_id text
) LANGUAGE sql AS $$
  SELECT t.tenant_id, t.name, t.config, t.issuer, t.is_active, t.has_mail_server, t.foreign_hashes, t.id, t.public_key,
         t.private_key, t.signs_from, t.retired_at, t.wrapped_key, t.master_key_id
    FROM kw_load_tenant_and_providers(p_id, p_domain) AS t
$$;
