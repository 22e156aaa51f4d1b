-- Writes events, and names the endpoints that subscribe to their type: in the transaction of the change, so that a
-- delivery is never lost and never reports a change that did not happen. Every event of the service is written here.
-- The caller has entered the tenant. p_events: a list of {id, type, subject, data, created_at}. Nothing is announced
-- (NOTIFY): commits that announce take turns, each with its own flush to the disk. Returns the deliveries, each as JSON
-- with everything needed to send it, or NULL: the node that made the change sends them. It has six seconds for that, or
-- until it reports that it is still sending; deliveries without a row by then are queued (kw_queue_unsent).
-- caller: none
CREATE OR REPLACE FUNCTION kw_emit(p_tenant text, p_events jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_queued text[];
BEGIN
  WITH written AS (
    INSERT INTO events (tenant_id, id, type, subject, data, created_at, told)
    SELECT p_tenant, e.id, e.type, e.subject, e.data, e.created_at,
           -- A test event is only for the tested endpoint.
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
