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

CREATE TABLE webhook_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  -- job_ and what the event's id has behind evt_: one event goes to one endpoint once.
  id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- When it is sent next. While it is being sent: when somebody else takes it over.
  due_at timestamptz(3) NOT NULL,
  last_attempt_at timestamptz(3),
  response_status integer,
  response_body text,
  reason text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, webhook_id, id),
  FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, due_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (tenant_id, webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at);
SELECT kw_isolate('webhook_deliveries');

-- Writes events, and queues them for the endpoints that ask for their kind: in the transaction of the change,
-- so that a delivery is never lost and never tells of what did not happen.
CREATE OR REPLACE FUNCTION kw_emit(p_tenant text, p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_webhook text;
BEGIN
  INSERT INTO events (tenant_id, id, type, subject, data, created_at)
  SELECT p_tenant, e.id, e.type, e.subject, e.data, e.created_at
    FROM jsonb_to_recordset(p_events)
      AS e (id text, type text, subject text, data jsonb, created_at timestamptz);
  FOR v_webhook IN
    WITH queued AS (
      INSERT INTO webhook_deliveries (
        tenant_id, webhook_id, id, event_id, event_type, due_at, created_at)
      SELECT p_tenant, w.id, 'job_' || substr(e.id, 5), e.id, e.type, e.created_at, e.created_at
        FROM webhooks w
        JOIN jsonb_to_recordset(p_events) AS e (id text, type text, created_at timestamptz)
          ON e.type = ANY (w.events)
       WHERE w.tenant_id = p_tenant AND w.is_active
      RETURNING webhook_id
    )
    SELECT DISTINCT webhook_id FROM queued
  LOOP
    -- The nodes hear of it with the commit.
    PERFORM pg_notify('keywright_deliveries', p_tenant || ' ' || v_webhook);
  END LOOP;
END
$$;

-- Takes deliveries that are due, for some endpoints, each as its tenant: at most so many of each. Until the
-- lease ends nobody else takes them; from whoever never comes back they are taken over. What is for an endpoint
-- that is not active stays where it is.
CREATE FUNCTION kw_claim_deliveries(
  p_tenants text[], p_webhooks text[], p_limits integer[], p_now timestamptz, p_lease_seconds integer
) RETURNS TABLE (
  tenant_id text, webhook_id text, id text, attempts integer, url text, secret bytea, previous_secret bytea,
  event_id text, event_type text, event_created_at timestamptz, event_data text
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    RETURN QUERY
    WITH due AS (
      SELECT d.id FROM webhook_deliveries d
       WHERE d.tenant_id = p_tenants[i] AND d.webhook_id = p_webhooks[i]
         AND d.status = 'pending' AND d.due_at <= p_now
         AND EXISTS (SELECT FROM webhooks w JOIN tenants t ON t.tenant_id = w.tenant_id
                      WHERE w.tenant_id = p_tenants[i] AND w.id = p_webhooks[i]
                        AND w.is_active AND t.is_active)
       ORDER BY d.due_at LIMIT p_limits[i] FOR UPDATE OF d SKIP LOCKED
    ), taken AS (
      UPDATE webhook_deliveries d
         SET attempts = d.attempts + 1, last_attempt_at = p_now,
             due_at = p_now + make_interval(secs => p_lease_seconds)
        FROM due
       WHERE d.tenant_id = p_tenants[i] AND d.webhook_id = p_webhooks[i] AND d.id = due.id
      RETURNING d.tenant_id, d.webhook_id, d.id, d.attempts, d.event_id, d.event_type
    )
    SELECT t.tenant_id, t.webhook_id, t.id, t.attempts, w.url, w.secret,
           CASE WHEN w.previous_secret_until > p_now THEN w.previous_secret END,
           t.event_id, t.event_type, e.created_at::timestamptz, e.data::text
      FROM taken t
      JOIN webhooks w ON w.tenant_id = t.tenant_id AND w.id = t.webhook_id
      LEFT JOIN events e ON e.tenant_id = t.tenant_id AND e.id = t.event_id;
  END LOOP;
END
$$;

-- Writes down how attempts ended. An attempt that somebody has taken over meanwhile is not the last word any
-- more: its number tells. Outcomes: delivered, retry, failed, gone (failed, and the endpoint wants no more),
-- released (not tried after all). Answers, per element, since when its endpoint has had nothing but failures.
CREATE FUNCTION kw_finish_deliveries(
  p_tenants text[], p_webhooks text[], p_ids text[], p_attempts integer[], p_outcomes text[],
  p_due timestamptz[], p_statuses integer[], p_bodies text[], p_reasons text[], p_now timestamptz
) RETURNS TABLE (failing_since timestamptz) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    failing_since := NULL;
    UPDATE webhook_deliveries d SET
        status = CASE p_outcomes[i] WHEN 'delivered' THEN 'delivered'
                                    WHEN 'retry' THEN 'pending' WHEN 'released' THEN 'pending'
                                    ELSE 'failed' END,
        attempts = d.attempts - (p_outcomes[i] = 'released')::integer,
        due_at = coalesce(p_due[i], d.due_at), response_status = p_statuses[i],
        response_body = p_bodies[i], reason = p_reasons[i]
      WHERE d.tenant_id = p_tenants[i] AND d.webhook_id = p_webhooks[i] AND d.id = p_ids[i]
        AND d.status = 'pending' AND d.attempts = p_attempts[i];
    IF FOUND AND p_outcomes[i] = 'delivered' THEN
      UPDATE webhooks w SET failing_since = NULL
       WHERE w.tenant_id = p_tenants[i] AND w.id = p_webhooks[i] AND w.failing_since IS NOT NULL;
    ELSIF FOUND AND p_outcomes[i] <> 'released' THEN
      UPDATE webhooks w SET failing_since = p_now
       WHERE w.tenant_id = p_tenants[i] AND w.id = p_webhooks[i] AND w.failing_since IS NULL;
      SELECT w.failing_since INTO failing_since FROM webhooks w
       WHERE w.tenant_id = p_tenants[i] AND w.id = p_webhooks[i];
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;
