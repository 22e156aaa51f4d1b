-- Ends an open flow without a session.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_end_flow(p_tenant text, p_flow text, p_token_hash bytea, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE login_flows f SET ended_at = p_now
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.token_hash = p_token_hash AND f.ended_at IS NULL;
  RETURN FOUND;
END
$$;
