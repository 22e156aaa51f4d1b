-- Returns the challenge of an unused and unexpired link, with the guesses of its code, and the flow that requested it.
-- caller: reading
-- null: user_id, auth_version, workspace_id, locale, user_agent
-- of challenges: kind
-- of login_flows: purpose
CREATE OR REPLACE FUNCTION kw_find_message_link(p_tenant text, p_challenge text, p_now timestamptz) RETURNS TABLE (
  kind text, guesses integer, user_id text, auth_version integer, flow_id text, purpose text, identifier text,
  workspace_id text, registers boolean, locale text, user_agent text, created_at timestamptz
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT c.kind, c.guesses, c.user_id, c.auth_version, f.id, f.purpose, f.identifier, f.workspace_id, f.registers, f.locale,
         f.user_agent, f.created_at
    FROM challenges c
    JOIN login_flows f ON f.tenant_id = c.tenant_id AND f.id = c.flow_id
   WHERE c.tenant_id = p_tenant AND c.id = p_challenge AND c.used_at IS NULL AND c.expires_at > p_now;
END
$$;
