-- Queues deliveries that have no row and should have: of events older than the time within which their writer sends
-- them or renews its lease. In the order of transactions, so that none is missed: later commits belong to transactions
-- that are not before the oldest one in progress. One process at a time; others do nothing.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_queue_unsent(p_now timestamptz) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_from bigint;
  v_oldest bigint;
  v_to bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  -- Not a row lock, which would write the row with each poll.
  IF NOT pg_try_advisory_xact_lock(hashtextextended('deliveries that are owed', 0)) THEN
    RETURN;
  END IF;
  -- By its key: otherwise the table is scanned, which is disabled here, and so expensive to the planner that it would
  -- JIT-compile the statement.
  SELECT before_xid INTO v_from FROM deliveries_checked WHERE only_row;
  -- Before reading: what is seen later is at least this.
  v_oldest := (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint;
  -- An event dated a minute ahead, by a node with a wrong clock, must not hold up the others.
  SELECT e.xid INTO v_to FROM events e
   WHERE e.told IS NOT NULL AND e.xid >= v_from
     AND e.created_at > p_now - interval '6 seconds' AND e.created_at < p_now + interval '1 minute'
   ORDER BY e.xid LIMIT 1;
  INSERT INTO webhook_deliveries (tenant_id, webhook_id, id, event_id, event_type, due_at, created_at)
  SELECT e.tenant_id, w.id, kw_delivery_id(e.id, w.id), e.id, e.type, e.created_at, e.created_at
    FROM (
      -- In their order, which only one index has.
      SELECT * FROM events e
       WHERE e.told IS NOT NULL AND e.xid >= v_from AND (v_to IS NULL OR e.xid < v_to)
       ORDER BY e.xid OFFSET 0
    ) AS e
    JOIN tenants t ON t.tenant_id = e.tenant_id AND t.deleted_at IS NULL
   CROSS JOIN unnest(e.told) AS w (id)
      ON CONFLICT DO NOTHING;
  v_to := least(v_to, v_oldest);
  -- Nothing is written while there is nothing to do.
  UPDATE deliveries_checked SET before_xid = v_to
   WHERE only_row AND v_to > v_from AND EXISTS (SELECT FROM events e WHERE e.told IS NOT NULL AND e.xid >= v_from AND e.xid < v_to);
END
$$;
