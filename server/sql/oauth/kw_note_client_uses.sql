-- Records when clients last obtained tokens. Skips locked rows, so that no request waits for this.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note_client_uses(p_tenants text[], p_clients text[], p_hours timestamptz[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE oauth_clients SET last_used_at = p_hours[i]
     WHERE tenant_id = p_tenants[i] AND id = (
       SELECT c.id FROM oauth_clients c
        WHERE c.tenant_id = p_tenants[i] AND c.id = p_clients[i]
          AND (c.last_used_at IS NULL OR c.last_used_at < p_hours[i])
          FOR NO KEY UPDATE SKIP LOCKED);
  END LOOP;
END
$$;
