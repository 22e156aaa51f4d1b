-- Makes a bit of a list depend on several grants of a tenant. Each grant must be active at its version (negative: at
-- any); otherwise it returns false, and the bit is unused. Rows are locked in the same order as when several grants
-- end. The grants can include the tenant itself, so that its reactivation finds the bit.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_attach_status_bit(
  p_tenant text, p_grants text[], p_versions integer[], p_list_tenant text, p_idx bigint,
  p_expires_at timestamptz, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  IF p_tenant = ANY (p_grants) THEN
    PERFORM FROM tenants t WHERE t.tenant_id = p_tenant FOR SHARE;
  END IF;
  PERFORM FROM users u WHERE u.tenant_id = p_tenant AND u.id IN (
      SELECT d.user_id FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants))
    ORDER BY u.id FOR SHARE;
  PERFORM FROM agents a WHERE a.tenant_id = p_tenant AND a.id IN (
      SELECT d.agent_id FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants)
      UNION
      SELECT k.agent_id FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = ANY (p_grants))
    ORDER BY a.id FOR SHARE;
  PERFORM FROM sessions s WHERE s.tenant_id = p_tenant AND s.id = ANY (p_grants) ORDER BY s.id FOR SHARE;
  PERFORM FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = ANY (p_grants) ORDER BY k.id FOR SHARE;
  PERFORM FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants) ORDER BY d.id FOR SHARE;
  IF kw_live_grants(array_fill(p_tenant, ARRAY[cardinality(p_grants)]), p_grants, p_versions, p_now)
       <> repeat('1', cardinality(p_grants)) THEN
    RETURN false;
  END IF;
  INSERT INTO status_dependents (tenant_id, grant_id, list_tenant_id, idx, expires_at)
  SELECT p_tenant, id, p_list_tenant, p_idx, p_expires_at FROM unnest(p_grants) AS id
  ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;
