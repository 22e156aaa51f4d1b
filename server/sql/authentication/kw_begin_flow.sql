-- Begins a flow. Of the open flows of its identifier only so many are kept: the oldest end.
-- For nodes of the version before messages of flows.
-- caller: none
-- null: p_workspace
CREATE OR REPLACE FUNCTION kw_begin_flow(
  p_tenant text, p_flow text, p_purpose text, p_token_hash bytea, p_identifier text, p_workspace text, p_proofs text,
  p_limit integer, p_now timestamptz, p_expires_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE login_flows f SET ended_at = p_now
   WHERE f.tenant_id = p_tenant AND f.identifier = p_identifier AND f.ended_at IS NULL
     AND f.id <= (SELECT o.id FROM login_flows o
                   WHERE o.tenant_id = p_tenant AND o.identifier = p_identifier AND o.ended_at IS NULL
                   ORDER BY o.id DESC OFFSET p_limit - 1 LIMIT 1);
  INSERT INTO login_flows (
    tenant_id, id, purpose, token_hash, identifier, workspace_id, proofs, created_at, expires_at
  ) VALUES (
    p_tenant, p_flow, p_purpose, p_token_hash, p_identifier, p_workspace, p_proofs::jsonb, p_now, p_expires_at
  );
END
$$;
