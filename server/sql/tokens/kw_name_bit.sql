-- The bit of a grant's tokens at a version: the present one, else the candidate, which is assigned. NULL when the grant
-- has ended or has another version. A concurrent change of the grant either waits, and sets the bit, or has committed
-- before. A key is looked up first, and then its agent: without statistics, the plan of a join went through all agents
-- of the tenant and the keys of each (see the ADR on stalls of the embedded database).
-- caller: writing
-- null: answer
CREATE OR REPLACE FUNCTION kw_name_bit(
  p_tenant text, p_grant text, p_version integer, p_candidate bigint, p_now timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_agent text;
  v_idx bigint;
BEGIN
  PERFORM kw_enter(p_tenant);
  IF starts_with(p_grant, 'session:') THEN
    UPDATE sessions s SET
        status_idx = CASE WHEN s.status_version = p_version THEN s.status_idx ELSE p_candidate END,
        status_version = p_version
      WHERE s.tenant_id = p_tenant AND s.id = p_grant AND s.is_active AND s.access_version = p_version
      RETURNING s.status_idx INTO v_idx;
  ELSIF starts_with(p_grant, 'key_') THEN
    -- The owner never changes.
    SELECT k.agent_id, CASE WHEN k.revoked_at IS NULL AND k.status_version = p_version THEN k.status_idx END
      INTO v_agent, v_idx
      FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = p_grant;
    IF v_idx IS NOT NULL THEN
      SELECT v_idx INTO v_idx FROM agents a
       WHERE a.tenant_id = p_tenant AND a.id = v_agent AND a.is_active AND a.access_version = p_version;
    END IF;
    IF v_idx IS NULL THEN
      PERFORM FROM agents a
       WHERE a.tenant_id = p_tenant AND a.id = v_agent AND a.is_active AND a.access_version = p_version
         FOR SHARE;
      IF FOUND THEN
        UPDATE api_keys k SET
            status_idx = CASE WHEN k.status_version = p_version THEN k.status_idx ELSE p_candidate END,
            status_version = p_version
          WHERE k.tenant_id = p_tenant AND k.id = p_grant
            AND kw_is_usable(k.revoked_at, k.expires_at, p_now)
          RETURNING k.status_idx INTO v_idx;
      END IF;
    END IF;
  ELSE
    SELECT a.status_idx INTO v_idx FROM agents a
     WHERE a.tenant_id = p_tenant AND a.id = p_grant AND a.is_active
       AND a.status_version = p_version AND a.access_version = p_version;
    IF v_idx IS NULL THEN
      UPDATE agents a SET
          status_idx = CASE WHEN a.status_version = p_version THEN a.status_idx ELSE p_candidate END,
          status_version = p_version
        WHERE a.tenant_id = p_tenant AND a.id = p_grant AND a.is_active AND a.access_version = p_version
        RETURNING a.status_idx INTO v_idx;
    END IF;
  END IF;
  RETURN v_idx;
END
$$;
