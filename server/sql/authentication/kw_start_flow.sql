-- Starts a flow. Limits the open flows without a proof that the same network has started for an identifier: the oldest
-- end. Flows from other networks, and flows with a proof, are never ended by this. Without an identifier ('') a flow
-- waits for a passkey or a provider to identify the user.
-- caller: writing
-- null: p_workspace, p_acr, p_steps_up, p_locale, p_user_agent, p_continues, p_opened_from
CREATE OR REPLACE FUNCTION kw_start_flow(
  p_tenant text, p_flow text, p_purpose text, p_token_hash bytea, p_identifier text, p_workspace text, p_registers boolean,
  p_acr text, p_steps_up text, p_locale text, p_user_agent text, p_continues text, p_proofs text, p_opened_from bytea,
  p_limit integer, p_now timestamptz, p_expires_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  UPDATE login_flows f SET ended_at = p_now
   WHERE f.tenant_id = p_tenant AND f.identifier = p_identifier AND f.ended_at IS NULL
     AND p_identifier <> '' AND f.opened_from = p_opened_from AND f.proofs = '[]'
     AND f.id <= (SELECT o.id FROM login_flows o
                   WHERE o.tenant_id = p_tenant AND o.identifier = p_identifier AND o.ended_at IS NULL
                     AND o.opened_from = p_opened_from AND o.proofs = '[]'
                   ORDER BY o.id DESC OFFSET p_limit - 1 LIMIT 1);
  INSERT INTO login_flows (
    tenant_id, id, purpose, token_hash, identifier, workspace_id, registers, locale, user_agent, continues, acr, steps_up,
    proofs, opened_from, created_at, expires_at
  ) VALUES (
    p_tenant, p_flow, p_purpose, p_token_hash, p_identifier, p_workspace, p_registers, p_locale, p_user_agent, p_continues,
    p_acr, p_steps_up, p_proofs::jsonb, p_opened_from, p_now, p_expires_at
  );
END
$$;
