-- Endpoints that events are delivered to, and what is on its way to each.

CREATE TABLE webhooks (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  disabled_reason text,
  -- Since when nothing but failures was had; NULL after a success.
  failing_since timestamptz(3),
  -- Sealed under the tenant's data key.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX webhooks_by_age ON webhooks (tenant_id, created_at, id);
SELECT kw_isolate('webhooks');

-- Points at no endpoint: the key of one would be locked by every change of its tenant at once, and a change that
-- races with the endpoint's deletion would fail. What has no endpoint is never sent, and goes with its event.
CREATE TABLE webhook_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  -- job_ and what the event's id has behind evt_: one event goes to one endpoint once, and the ids of an
  -- endpoint's deliveries are in the order of their events.
  id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Those that are over.
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  -- Until when nobody else takes it; who is sending it sets this again and again. In no index, so that doing so writes
  -- to none.
  held_until timestamptz(3),
  -- Counts who took it, and who had it queued anew: only the last one may write down how it ended.
  takes integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz(3),
  response_status integer,
  response_body text,
  reason text,
  -- When the event happened.
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, webhook_id, id)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, due_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (tenant_id, webhook_id, id)
  WHERE status = 'failed';
-- Rows come in the order of their age.
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING brin (created_at);
SELECT kw_isolate('webhook_deliveries');

-- Writes events, and queues them for the endpoints that ask for their kind: in the transaction of the change,
-- so that a delivery is never lost and never tells of what did not happen. Nothing is announced (NOTIFY): commits
-- that announce take turns, each with its own flush to the disk. Answers what was queued, all that is needed to send
-- it included, each as JSON: the node that made the change sends it without taking it first. For that it holds it as
-- long as whoever takes a delivery does; what it does not send is taken over then.
CREATE OR REPLACE FUNCTION kw_emit(p_tenant text, p_events jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v_queued text[];
BEGIN
  WITH told AS (
    INSERT INTO events (tenant_id, id, type, subject, data, created_at)
    SELECT p_tenant, e.id, e.type, e.subject, e.data, e.created_at
      FROM jsonb_to_recordset(p_events)
        AS e (id text, type text, subject text, data jsonb, created_at timestamptz)
    RETURNING id, type, data, created_at
  ), queued AS MATERIALIZED (
    SELECT w.id AS webhook_id, 'job_' || substr(e.id, 5) AS id, 0 AS takes, 0 AS attempts, w.url, w.secret,
           CASE WHEN w.previous_secret_until > e.created_at THEN w.previous_secret END AS previous_secret,
           e.id AS event_id, e.type AS event_type, e.created_at AS event_created_at, e.data::text AS event_data
      FROM told e JOIN webhooks w ON e.type = ANY (w.events)
     -- A test is for the one endpoint that is tested.
     WHERE w.tenant_id = p_tenant AND w.is_active AND e.type <> 'webhook.test'
  ), written AS (
    INSERT INTO webhook_deliveries (
      tenant_id, webhook_id, id, event_id, event_type, due_at, held_until, created_at)
    SELECT p_tenant, q.webhook_id, q.id, q.event_id, q.event_type, q.event_created_at,
           q.event_created_at + interval '6 seconds', q.event_created_at
      FROM queued q
  )
  SELECT array_agg(row_to_json(q)::text) INTO v_queued FROM queued q;
  RETURN v_queued;
END
$$;

-- Takes deliveries that are due, for some endpoints, each as its tenant: at most so many of each. Until the lease
-- ends nobody else takes them; from whoever never comes back they are taken over. What is for an endpoint that is
-- not active stays where it is.
-- Rows are changed one by one, by their places in the table, and found in the one index that has them in their order:
-- whatever the planner knew of the tables when it planned, no other row is looked at. A plan that was made while the
-- table was empty would otherwise read all that was ever delivered. A claim that is lost with the database is made
-- again, so that its commit need not wait for the disk.
CREATE FUNCTION kw_claim_deliveries(
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

-- Goes on holding deliveries that take long, each as its tenant; of one that somebody has taken over, nothing.
-- p_held: a list for each tenant, as text, of {webhook_id, id, takes}.
CREATE FUNCTION kw_hold_deliveries(p_tenants text[], p_held text[], p_until timestamptz) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_one record;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true), set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    FOR v_one IN
      SELECT * FROM jsonb_to_recordset(p_held[i]::jsonb) AS h (webhook_id text, id text, takes integer)
    LOOP
      UPDATE webhook_deliveries d SET held_until = p_until
       WHERE d.tenant_id = p_tenants[i] AND d.webhook_id = v_one.webhook_id AND d.id = v_one.id
         AND d.takes = v_one.takes;
    END LOOP;
  END LOOP;
END
$$;

-- Writes down how attempts ended, each as its tenant; of one that somebody has taken over meanwhile, nothing.
-- p_finished: a list for each tenant, as text, of {webhook_id, id, takes, outcome, due_at, status, body, reason}.
-- Outcomes: delivered, retry, failed, gone (failed, and the endpoint wants no more), expired (failed without an
-- attempt), released (not tried after all).
-- Answers the endpoints that failed now and have had nothing but failures since p_hopeless_since.
-- One by one and without waiting for the disk, as above: joined with the list, the whole table may be what is read first.
CREATE FUNCTION kw_finish_deliveries(
  p_tenants text[], p_finished text[], p_now timestamptz, p_hopeless_since timestamptz
) RETURNS TABLE (tenant_id text, webhook_id text) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_one record;
  v_was_tried boolean;
  v_well text[];
  v_failing text[];
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true), set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    v_well := '{}';
    v_failing := '{}';
    FOR v_one IN
      SELECT * FROM jsonb_to_recordset(p_finished[i]::jsonb) AS f (
        webhook_id text, id text, takes integer, outcome text, due_at timestamptz, status integer, body text,
        reason text)
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
