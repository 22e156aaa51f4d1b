-- A delivery that succeeds at its first attempt is written once, when it is over, together with others; before, it
-- was written with its event and changed afterwards. What tells that it is owed is the event itself, which names the
-- endpoints: see ADR 22.

-- The endpoints that are to be told. NULL: none, or the deliveries of this event were written with it.
ALTER TABLE events ADD COLUMN told text[];
CREATE INDEX events_told ON events (xid) WHERE told IS NOT NULL;

-- One row: each event that a transaction before this one wrote has a row for each delivery that is owed.
CREATE TABLE deliveries_checked (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  before_xid bigint NOT NULL
);
INSERT INTO deliveries_checked (before_xid) VALUES (0);
GRANT SELECT, UPDATE ON deliveries_checked TO keywright_system;

-- Writes events, and names the endpoints that ask for their kind: in the transaction of the change, so that a delivery
-- is never lost and never tells of what did not happen. Nothing is announced (NOTIFY): commits that announce take
-- turns, each with its own flush to the disk. Answers the deliveries, each as JSON with all that is needed to send it:
-- the node that made the change sends them. It has six seconds for that, or until it says that it is still at it;
-- what has no row by then is queued (kw_queue_unsent).
CREATE OR REPLACE FUNCTION kw_emit(p_tenant text, p_events jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_queued text[];
BEGIN
  WITH written AS (
    INSERT INTO events (tenant_id, id, type, subject, data, created_at, told)
    SELECT p_tenant, e.id, e.type, e.subject, e.data, e.created_at,
           -- A test is for the one endpoint that is tested.
           (SELECT array_agg(w.id) FROM webhooks w
             WHERE w.tenant_id = p_tenant AND w.is_active AND e.type = ANY (w.events) AND e.type <> 'webhook.test')
      FROM jsonb_to_recordset(p_events)
        AS e (id text, type text, subject text, data jsonb, created_at timestamptz)
    RETURNING id, type, data, created_at, told
  ), queued AS (
    SELECT w.id AS webhook_id, 'job_' || substr(e.id, 5) AS id, 0 AS takes, 0 AS attempts, w.url, w.secret,
           CASE WHEN w.previous_secret_until > e.created_at THEN w.previous_secret END AS previous_secret,
           e.id AS event_id, e.type AS event_type, e.created_at AS event_created_at, e.data::text AS event_data
      FROM written e JOIN webhooks w ON w.tenant_id = p_tenant AND w.id = ANY (e.told)
     WHERE e.told IS NOT NULL
  )
  SELECT array_agg(row_to_json(q)::text) INTO v_queued FROM queued q;
  RETURN v_queued;
END
$$;

-- Queues what has no row and should have: of events that are older than their writer may take to send them, or to say
-- that it is at it. In the order of transactions, so that none is passed over: what commits from now on is of
-- transactions that are not before the oldest one under way. One at a time; whoever comes meanwhile does nothing.
CREATE FUNCTION kw_queue_unsent(p_now timestamptz) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_from bigint;
  v_oldest bigint;
  v_to bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  -- No lock of the row: it would be written each time that somebody looks.
  IF NOT pg_try_advisory_xact_lock(hashtextextended('deliveries that are owed', 0)) THEN
    RETURN;
  END IF;
  -- By its key: without one the whole of a table is read, which is forbidden here, so dear in the planner's eyes that it
  -- compiles the statement.
  SELECT before_xid INTO v_from FROM deliveries_checked WHERE only_row;
  -- Before anything is read: what is seen later is at least this.
  v_oldest := (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint;
  -- One that is dated a minute ahead, by a node with a wrong clock, must not hold the others up.
  SELECT e.xid INTO v_to FROM events e
   WHERE e.told IS NOT NULL AND e.xid >= v_from
     AND e.created_at > p_now - interval '6 seconds' AND e.created_at < p_now + interval '1 minute'
   ORDER BY e.xid LIMIT 1;
  INSERT INTO webhook_deliveries (tenant_id, webhook_id, id, event_id, event_type, due_at, created_at)
  SELECT e.tenant_id, w.id, 'job_' || substr(e.id, 5), e.id, e.type, e.created_at, e.created_at
    FROM (
      -- In their order, which one index has alone.
      SELECT * FROM events e
       WHERE e.told IS NOT NULL AND e.xid >= v_from AND (v_to IS NULL OR e.xid < v_to)
       ORDER BY e.xid OFFSET 0
    ) AS e
    JOIN tenants t ON t.tenant_id = e.tenant_id AND t.deleted_at IS NULL
   CROSS JOIN unnest(e.told) AS w (id)
      ON CONFLICT DO NOTHING;
  v_to := least(v_to, v_oldest);
  -- As long as there is nothing, nothing is written.
  UPDATE deliveries_checked SET before_xid = v_to
   WHERE only_row AND v_to > v_from AND EXISTS (SELECT FROM events e WHERE e.told IS NOT NULL AND e.xid >= v_from AND e.xid < v_to);
END
$$;

-- Goes on holding deliveries that take long, each as its tenant; of one that somebody has taken over, nothing. One
-- that was never taken has no row before: it gets one.
-- p_held: a list for each tenant, as text, of {webhook_id, id, takes, event_id, event_type, created_at}.
CREATE OR REPLACE FUNCTION kw_hold_deliveries(p_tenants text[], p_held text[], p_until timestamptz) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_one record;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true), set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    -- The rows of a tenant that is being deleted go until none is left.
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

-- Writes down how attempts ended, each as its tenant; of one that somebody has taken over meanwhile, nothing. Those
-- that were never taken, which are most, are all one statement; of those that were, each is found by its whole key,
-- because joined with the list, the whole table may be what is read first. None waits for the disk: what is lost with
-- the database is sent again.
-- p_finished: a list for each tenant, as text, of {webhook_id, id, takes, event_id, event_type, created_at, outcome,
-- due_at, status, body, reason}.
-- Outcomes: delivered, retry, failed, gone (failed, and the endpoint wants no more), expired (failed without an
-- attempt), released (not tried after all).
-- Answers the endpoints that failed now and have had nothing but failures since p_hopeless_since.
CREATE OR REPLACE FUNCTION kw_finish_deliveries(
  p_tenants text[], p_finished text[], p_now timestamptz, p_hopeless_since timestamptz
) RETURNS TABLE (tenant_id text, webhook_id text) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_list jsonb;
  v_one record;
  v_was_tried boolean;
  v_well text[];
  v_failing text[];
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true), set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    CONTINUE WHEN NOT EXISTS (
      SELECT FROM tenants t WHERE t.tenant_id = p_tenants[i] AND t.deleted_at IS NULL);
    v_list := p_finished[i]::jsonb;
    WITH written AS (
      INSERT INTO webhook_deliveries AS d (
        tenant_id, webhook_id, id, event_id, event_type, status, attempts, due_at, last_attempt_at,
        response_status, response_body, reason, created_at)
      SELECT p_tenants[i], f.webhook_id, f.id, f.event_id, f.event_type,
             CASE WHEN f.outcome = 'delivered' THEN 'delivered'
                  WHEN f.outcome IN ('retry', 'released') THEN 'pending' ELSE 'failed' END,
             (f.outcome <> 'released')::integer, coalesce(f.due_at, f.created_at),
             CASE WHEN f.outcome <> 'released' THEN p_now END, f.status, f.body, f.reason, f.created_at
        FROM jsonb_to_recordset(v_list) AS f (
          webhook_id text, id text, takes integer, event_id text, event_type text, created_at timestamptz,
          outcome text, due_at timestamptz, status integer, body text, reason text)
       WHERE f.takes = 0
          -- Where it was held on, or queued because it took too long.
          ON CONFLICT ON CONSTRAINT webhook_deliveries_pkey DO UPDATE
         SET status = excluded.status, attempts = d.attempts + excluded.attempts, due_at = excluded.due_at,
             held_until = NULL, last_attempt_at = excluded.last_attempt_at,
             response_status = excluded.response_status, response_body = excluded.response_body,
             reason = excluded.reason
       WHERE d.takes = 0
      RETURNING d.webhook_id, d.status, d.last_attempt_at
    )
    SELECT array_agg(DISTINCT w.webhook_id) FILTER (WHERE w.status = 'delivered'),
           array_agg(DISTINCT w.webhook_id) FILTER (WHERE w.status <> 'delivered' AND w.last_attempt_at IS NOT NULL)
      INTO v_well, v_failing FROM written w;
    v_well := coalesce(v_well, '{}');
    v_failing := coalesce(v_failing, '{}');
    FOR v_one IN
      SELECT * FROM jsonb_to_recordset(v_list) AS f (
        webhook_id text, id text, takes integer, outcome text, due_at timestamptz, status integer, body text,
        reason text)
       WHERE f.takes > 0
    LOOP
      v_was_tried := v_one.outcome NOT IN ('released', 'expired');
      UPDATE webhook_deliveries d
         SET status = CASE WHEN v_one.outcome = 'delivered' THEN 'delivered'
                           WHEN v_one.outcome IN ('retry', 'released') THEN 'pending' ELSE 'failed' END,
             attempts = d.attempts + v_was_tried::integer,
             due_at = coalesce(v_one.due_at, d.due_at),
             held_until = NULL,
             last_attempt_at = CASE WHEN v_was_tried THEN p_now ELSE d.last_attempt_at END,
             response_status = v_one.status, response_body = v_one.body, reason = v_one.reason
       WHERE d.tenant_id = p_tenants[i] AND d.webhook_id = v_one.webhook_id AND d.id = v_one.id
         AND d.takes = v_one.takes;
      CONTINUE WHEN NOT FOUND OR NOT v_was_tried;
      IF v_one.outcome <> 'delivered' THEN
        v_failing := v_failing || v_one.webhook_id;
      ELSIF v_one.webhook_id <> ALL (v_well) THEN
        v_well := v_well || v_one.webhook_id;
      END IF;
    END LOOP;
    UPDATE webhooks w SET failing_since = NULL
     WHERE w.tenant_id = p_tenants[i] AND w.id = ANY (v_well) AND w.failing_since IS NOT NULL;
    CONTINUE WHEN v_failing = '{}';
    UPDATE webhooks w SET failing_since = p_now
     WHERE w.tenant_id = p_tenants[i] AND w.id = ANY (v_failing) AND w.id <> ALL (v_well)
       AND w.failing_since IS NULL;
    RETURN QUERY
    SELECT w.tenant_id, w.id FROM webhooks w
     WHERE w.tenant_id = p_tenants[i] AND w.id = ANY (v_failing) AND w.failing_since <= p_hopeless_since;
  END LOOP;
END
$$;
