-- A delivery's id was its event's id with another prefix, so one event sent to several endpoints gave all of these
-- deliveries the same id.

-- The id of the delivery of one event to one endpoint. Computed rather than drawn, because a delivery that is still owed
-- has no row to hold an id. The first 14 characters are the event's (the time and the sequence number within it), so that
-- an endpoint's deliveries sort as their events do; the other 12 are 60 bits of a hash of both ids. The characters of
-- base64 are mapped two to one onto the 32 of Crockford's alphabet.
CREATE FUNCTION kw_delivery_id(p_event text, p_webhook text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT 'job_' || substr(p_event, 5, 14) || translate(
    substr(encode(sha256(convert_to(p_event || ' ' || p_webhook, 'UTF8')), 'base64'), 1, 12),
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    '0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrstvwxyz')
$$;

-- Deliveries that are in the log already: a replay or retry must find the row of the event and the endpoint.
DO $$
DECLARE
  v_role text := current_setting('role');
BEGIN
  -- The owner of the table sees none of its rows.
  PERFORM set_config('role', 'keywright_system', true);
  UPDATE webhook_deliveries SET id = kw_delivery_id(event_id, webhook_id);
  PERFORM set_config('role', v_role, true);
END
$$;

-- Writes events and names the endpoints that subscribe to their type, as in 0012; the deliveries have ids of their own.
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
    SELECT w.id AS webhook_id, kw_delivery_id(e.id, w.id) AS id, 0 AS takes, 0 AS attempts, w.url, w.secret,
           CASE WHEN w.previous_secret_until > e.created_at THEN w.previous_secret END AS previous_secret,
           e.id AS event_id, e.type AS event_type, e.created_at AS event_created_at, e.data::text AS event_data
      FROM written e JOIN webhooks w ON w.tenant_id = p_tenant AND w.id = ANY (e.told)
     WHERE e.told IS NOT NULL
  )
  SELECT array_agg(row_to_json(q)::text) INTO v_queued FROM queued q;
  RETURN v_queued;
END
$$;

-- Queues what has no row and should have, as in 0012.
CREATE OR REPLACE FUNCTION kw_queue_unsent(p_now timestamptz) RETURNS void LANGUAGE plpgsql
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
  SELECT e.tenant_id, w.id, kw_delivery_id(e.id, w.id), e.id, e.type, e.created_at, e.created_at
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
