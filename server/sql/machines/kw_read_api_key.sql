-- A key and its agent, with their versions.
-- caller: reading
-- null: key_scopes, allowed_ips, owner_id, jwks
-- of agents: jwks, trusts
-- type id: AgentId
CREATE OR REPLACE FUNCTION kw_read_api_key(p_tenant text, p_hash bytea) RETURNS TABLE (
  version text, key_id text, key_scopes text[], allowed_ips text[], key_created_at timestamptz(3),
  expires_at timestamptz, id text, tenant_id text, workspace_id text, name text, description text,
  scopes text[], owner_id text, jwks jsonb, trusts jsonb, is_active boolean, created_at timestamptz(3),
  access_version integer
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT CASE WHEN k.successor_id IS NULL THEN k.agent_version::text ELSE k.agent_version || 'r' END, k.id,
         k.scopes, k.allowed_ips, k.created_at, k.expires_at, a.id, a.tenant_id, a.workspace_id, a.name,
         a.description, a.scopes, a.owner_id, a.jwks, a.trusts, a.is_active, a.created_at, a.access_version
    FROM api_keys k JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
   WHERE k.tenant_id = p_tenant AND k.secret_hash = p_hash;
END
$$;
