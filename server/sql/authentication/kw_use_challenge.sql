-- Uses a challenge of a flow, whose code or link was right. Nothing is returned if it has expired, was used, or nobody
-- has the identifier: of concurrent uses, one gets the user.
-- For nodes of the version before messages of flows.
-- caller: none
CREATE OR REPLACE FUNCTION kw_use_challenge(p_tenant text, p_flow text, p_challenge text, p_now timestamptz)
RETURNS TABLE (user_id text, auth_version integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  UPDATE challenges c SET used_at = p_now
   WHERE c.tenant_id = p_tenant AND c.id = p_challenge AND c.flow_id = p_flow AND c.user_id IS NOT NULL
     AND c.used_at IS NULL AND c.expires_at > p_now
  RETURNING c.user_id, c.auth_version;
END
$$;
