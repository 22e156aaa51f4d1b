-- Claims due deliveries of some endpoints, each in its tenant, up to a limit per endpoint. No other node claims them
-- until the lease ends; expired leases are taken over. Deliveries of inactive endpoints are skipped. Rows are updated
-- one by one, by ctid, and found in the only index with their order: no other row is read, whatever the statistics were
-- at planning time. A plan made for an empty table would otherwise read all deliveries ever made. A claim lost in a
-- crash is made again, so the commit does not wait for the disk.
-- caller: writing
-- null: previous_secret, event_created_at, event_data
-- type id: DeliveryId
CREATE OR REPLACE FUNCTION kw_claim_deliveries(
  p_tenants text[], p_webhooks text[], p_limits integer[], p_now timestamptz, p_lease_seconds integer
) RETURNS TABLE (
  tenant_id text, webhook_id text, id text, takes integer, attempts integer, url text, secret bytea,
  previous_secret bytea, event_id text, event_type text, event_created_at timestamptz, event_data text
) LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_sort = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_due record;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true), set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    tenant_id := p_tenants[i];
    webhook_id := p_webhooks[i];
    PERFORM set_config('keywright.tenant_id', tenant_id, true);
    SELECT w.url, w.secret, CASE WHEN w.previous_secret_until > p_now THEN w.previous_secret END
      INTO url, secret, previous_secret
      FROM webhooks w JOIN tenants t ON t.tenant_id = w.tenant_id AND t.is_active AND t.deleted_at IS NULL
     WHERE w.tenant_id = kw_claim_deliveries.tenant_id AND w.id = webhook_id AND w.is_active;
    CONTINUE WHEN NOT FOUND;
    FOR v_due IN
      SELECT d.ctid AS place, d.id, d.takes, d.attempts, d.event_id, d.event_type, e.created_at,
             e.data::text AS data
        FROM webhook_deliveries d
        LEFT JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
       WHERE d.tenant_id = kw_claim_deliveries.tenant_id AND d.webhook_id = kw_claim_deliveries.webhook_id
         AND d.status = 'pending' AND d.due_at <= p_now AND (d.held_until IS NULL OR d.held_until <= p_now)
       ORDER BY d.due_at LIMIT p_limits[i] FOR UPDATE OF d SKIP LOCKED
    LOOP
      id := v_due.id;
      takes := v_due.takes + 1;
      attempts := v_due.attempts;
      event_id := v_due.event_id;
      event_type := v_due.event_type;
      event_created_at := v_due.created_at;
      event_data := v_due.data;
      UPDATE webhook_deliveries d
         SET takes = kw_claim_deliveries.takes, held_until = p_now + make_interval(secs => p_lease_seconds)
       WHERE d.ctid = v_due.place;
      RETURN NEXT;
    END LOOP;
  END LOOP;
END
$$;
