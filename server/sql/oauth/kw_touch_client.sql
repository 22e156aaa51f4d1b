-- Records when a client last obtained tokens. Skips a locked row, so that no request waits for this.
-- caller: batched writing
CREATE OR REPLACE FUNCTION kw_touch_client(p_tenant text, p_client text, p_hour timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  UPDATE oauth_clients SET last_used_at = p_hour
   WHERE tenant_id = v_tenant AND id = (
     SELECT c.id FROM oauth_clients c
      WHERE c.tenant_id = v_tenant AND c.id = p_client AND (c.last_used_at IS NULL OR c.last_used_at < p_hour)
        FOR NO KEY UPDATE SKIP LOCKED);
END
$$;
