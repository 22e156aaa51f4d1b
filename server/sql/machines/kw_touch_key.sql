-- Records when a key was last used. Skips a locked row, so that no request waits for this.
-- caller: batched writing
CREATE OR REPLACE FUNCTION kw_touch_key(p_tenant text, p_key text, p_minute timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  UPDATE api_keys SET last_used_at = p_minute
   WHERE tenant_id = v_tenant AND id = (
     SELECT k.id FROM api_keys k
      WHERE k.tenant_id = v_tenant AND k.id = p_key AND (k.last_used_at IS NULL OR k.last_used_at < p_minute)
        FOR NO KEY UPDATE SKIP LOCKED);
END
$$;
