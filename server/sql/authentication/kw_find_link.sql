-- The challenge of a link, if it can still be used, and the flow that asked for it.
-- For nodes of the version before links that end with their codes.
-- caller: none
-- null: user_id, auth_version, workspace_id, locale, user_agent
CREATE OR REPLACE FUNCTION kw_find_link(p_tenant text, p_challenge text, p_now timestamptz) RETURNS TABLE (
  kind text, user_id text, auth_version integer, flow_id text, purpose text, identifier text, workspace_id text,
  registers boolean, locale text, user_agent text, created_at timestamptz
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT c.kind, c.user_id, c.auth_version, f.id, f.purpose, f.identifier, f.workspace_id, f.registers, f.locale,
         f.user_agent, f.created_at
    FROM challenges c
    JOIN login_flows f ON f.tenant_id = c.tenant_id AND f.id = c.flow_id
   WHERE c.tenant_id = p_tenant AND c.id = p_challenge AND c.used_at IS NULL AND c.expires_at > p_now;
END
$$;
