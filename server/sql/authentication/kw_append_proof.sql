-- Adds a proof to an open flow in this version. Returns false if the flow has ended or another step was faster.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_append_proof(
  p_tenant text, p_flow text, p_version integer, p_proof text, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE login_flows f SET proofs = f.proofs || p_proof::jsonb, version = f.version + 1
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.version = p_version AND f.ended_at IS NULL
     AND f.expires_at > p_now AND jsonb_array_length(f.proofs) < 8;
  RETURN FOUND;
END
$$;
