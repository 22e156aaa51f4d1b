-- Uses the challenge whose code or link was correct, and adds the proof to an open flow in this version: both or
-- neither. Returns false if the challenge was used or has expired, the flow has ended, or another step was faster.
-- p_proof: NULL to use only the challenge, and to hold the lock on the flow until the transaction adds the proof.
-- caller: writing
-- null: p_proof
CREATE OR REPLACE FUNCTION kw_redeem_challenge(
  p_tenant text, p_flow text, p_version integer, p_challenge text, p_proof text, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_sent_in text;
BEGIN
  PERFORM kw_enter(p_tenant);
  SELECT coalesce(f.continues, f.id) INTO v_sent_in FROM login_flows f
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.version = p_version AND f.ended_at IS NULL AND f.expires_at > p_now
     AND jsonb_array_length(f.proofs) < 8
     FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE challenges c SET used_at = p_now
   WHERE c.tenant_id = p_tenant AND c.id = p_challenge AND c.flow_id = v_sent_in AND c.used_at IS NULL AND c.expires_at > p_now;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE login_flows f SET proofs = f.proofs || p_proof::jsonb, version = f.version + 1
   WHERE p_proof IS NOT NULL AND f.tenant_id = p_tenant AND f.id = p_flow;
  RETURN true;
END
$$;
