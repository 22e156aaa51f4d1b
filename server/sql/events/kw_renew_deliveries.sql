-- Renews the leases of slow deliveries, each in its tenant, except for deliveries claimed again meanwhile. A delivery
-- that was never claimed has no row yet, and gets one. p_held: a list for each tenant, as text, of {webhook_id, id,
-- takes, event_id, event_type, created_at}.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_renew_deliveries(p_tenants text[], p_held text[], p_until timestamptz) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_one record;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true), set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    -- The rows of a deleted tenant are being removed, so no new rows are added.
    CONTINUE WHEN NOT EXISTS (SELECT FROM tenants WHERE tenant_id = p_tenants[i] AND deleted_at IS NULL);
    INSERT INTO webhook_deliveries AS d (
      tenant_id, webhook_id, id, event_id, event_type, due_at, held_until, created_at)
    SELECT p_tenants[i], h.webhook_id, h.id, h.event_id, h.event_type, h.created_at, p_until, h.created_at
      FROM jsonb_to_recordset(p_held[i]::jsonb) AS h (
        webhook_id text, id text, takes integer, event_id text, event_type text, created_at timestamptz)
     WHERE h.takes = 0
        ON CONFLICT (tenant_id, webhook_id, id) DO UPDATE SET held_until = excluded.held_until WHERE d.takes = 0;
    FOR v_one IN
      SELECT * FROM jsonb_to_recordset(p_held[i]::jsonb) AS h (webhook_id text, id text, takes integer)
       WHERE h.takes > 0
    LOOP
      UPDATE webhook_deliveries d SET held_until = p_until
       WHERE d.tenant_id = p_tenants[i] AND d.webhook_id = v_one.webhook_id AND d.id = v_one.id
         AND d.takes = v_one.takes;
    END LOOP;
  END LOOP;
END
$$;
