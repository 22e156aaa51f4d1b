-- Records when keys were last used. Skips locked rows, so that no request waits for this.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note_key_uses(p_tenants text[], p_keys text[], p_minutes timestamptz[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE api_keys SET last_used_at = p_minutes[i]
     WHERE tenant_id = p_tenants[i] AND id = (
       SELECT k.id FROM api_keys k
        WHERE k.tenant_id = p_tenants[i] AND k.id = p_keys[i]
          AND (k.last_used_at IS NULL OR k.last_used_at < p_minutes[i])
          FOR NO KEY UPDATE SKIP LOCKED);
  END LOOP;
END
$$;
