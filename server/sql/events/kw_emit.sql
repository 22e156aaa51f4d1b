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
  WITH e AS MATERIALIZED (
    SELECT e.*, subscribed.*
      FROM jsonb_to_recordset(p_events) AS e (id text, type text, subject text, data jsonb, created_at timestamptz),
   LATERAL (
     SELECT array_agg(w.id) AS told,
            array_agg(json_build_object(
              'webhook_id', w.id, 'id', kw_delivery_id(e.id, w.id), 'takes', 0, 'attempts', 0, 'url', w.url,
              'secret', w.secret,
              'previous_secret', CASE WHEN w.previous_secret_until > e.created_at THEN w.previous_secret END,
              'event_id', e.id, 'event_type', e.type, 'event_created_at', e.created_at,
              'event_data', e.data::text)::text) AS queued
       FROM webhooks w
      -- A test event is only for the tested endpoint.
      WHERE w.tenant_id = p_tenant AND w.is_active AND e.type = ANY (w.events) AND e.type <> 'webhook.test'
   ) AS subscribed
  ), written AS (
    INSERT INTO events (tenant_id, id, type, subject, data, created_at, told)
    SELECT p_tenant, id, type, subject, data, created_at, told FROM e
  )
  SELECT array_agg(delivery) INTO v_queued FROM e, unnest(e.queued) AS delivery;
  RETURN v_queued;
END
$$;
