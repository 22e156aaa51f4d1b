-- Queues deliveries that should have a row but do not: their events are older than the time that their writer takes at
-- most to send them or to renew its lease. Works in the order of transactions, so that none is missed: later commits
-- belong to transactions that are not before the oldest one in progress. Only one process runs this at a time; others
-- do nothing.
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
  -- Looked up by key. Otherwise the table is scanned, which is disabled here and so looks expensive enough to the
  -- planner to JIT-compile the statement.
  SELECT before_xid INTO v_from FROM deliveries_checked WHERE only_row;
  -- Taken before reading: transactions that become visible later are not older than this.
  v_oldest := (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint;
  -- An event dated a minute ahead, by a node with a wrong clock, must not hold up the others.
  SELECT e.xid INTO v_to FROM events e
   WHERE e.told IS NOT NULL AND e.xid >= v_from
     AND e.created_at > p_now - interval '6 seconds' AND e.created_at < p_now + interval '1 minute'
   ORDER BY e.xid LIMIT 1;
  INSERT INTO webhook_deliveries (tenant_id, webhook_id, id, event_id, event_type, due_at, created_at)
  SELECT e.tenant_id, w.id, kw_delivery_id(e.id, w.id), e.id, e.type, e.created_at, e.created_at
    FROM (
      -- In this order, which only one index has.
      SELECT * FROM events e
       WHERE e.told IS NOT NULL AND e.xid >= v_from AND (v_to IS NULL OR e.xid < v_to)
       ORDER BY e.xid OFFSET 0
    ) AS e
    JOIN tenants t ON t.tenant_id = e.tenant_id AND t.deleted_at IS NULL
   CROSS JOIN unnest(e.told) AS w (id)
      ON CONFLICT DO NOTHING;
  v_to := least(v_to, v_oldest);
  -- Writes nothing when there is nothing to do.
  UPDATE deliveries_checked SET before_xid = v_to
   WHERE only_row AND v_to > v_from AND EXISTS (SELECT FROM events e WHERE e.told IS NOT NULL AND e.xid >= v_from AND e.xid < v_to);
END
$$;
