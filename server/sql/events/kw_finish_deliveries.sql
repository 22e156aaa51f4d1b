-- Records the results of attempts, each in its tenant, except for deliveries claimed again meanwhile. Most were never
-- claimed and share one statement; each of the others is found by its whole key, because a join with the list could
-- read the whole table first. The commit does not wait for the disk: what is lost in a crash is sent again.
-- p_finished: a list for each tenant, as text, of {webhook_id, id, takes, event_id, event_type, created_at, outcome,
-- due_at, status, body, reason, duration_ms}. Outcomes: delivered, retry, failed, gone (failed, and the endpoint must
-- be disabled), expired (failed without an attempt), released (not attempted). Returns the endpoints that failed now
-- and have had only failures since p_hopeless_since.
-- caller: writing
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
        response_status, response_body, reason, created_at, duration_ms, history)
      SELECT p_tenants[i], f.webhook_id, f.id, f.event_id, f.event_type,
             CASE WHEN f.outcome = 'delivered' THEN 'delivered'
                  WHEN f.outcome IN ('retry', 'released') THEN 'pending' ELSE 'failed' END,
             (f.outcome <> 'released')::integer, coalesce(f.due_at, f.created_at),
             CASE WHEN f.outcome <> 'released' THEN p_now END, f.status, f.body, f.reason, f.created_at, f.duration_ms,
             CASE WHEN f.outcome IN ('retry', 'failed', 'gone') THEN
               kw_attempts_after(NULL, p_now, f.status, f.duration_ms, f.reason, f.body) END
        FROM jsonb_to_recordset(v_list) AS f (
          webhook_id text, id text, takes integer, event_id text, event_type text, created_at timestamptz,
          outcome text, due_at timestamptz, status integer, body text, reason text, duration_ms integer)
       WHERE f.takes = 0
          -- The row exists if the lease was renewed, or the delivery was queued because it took too long.
          ON CONFLICT ON CONSTRAINT webhook_deliveries_pkey DO UPDATE
         SET status = excluded.status, attempts = d.attempts + excluded.attempts, due_at = excluded.due_at,
             held_until = NULL, last_attempt_at = excluded.last_attempt_at,
             response_status = excluded.response_status, response_body = excluded.response_body,
             reason = excluded.reason, duration_ms = excluded.duration_ms, history = excluded.history
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
        reason text, duration_ms integer)
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
             response_status = v_one.status, response_body = v_one.body, reason = v_one.reason,
             duration_ms = v_one.duration_ms,
             -- NULL if the first attempt delivered it: the other columns describe that. A release overwrites them.
             history = CASE WHEN d.last_attempt_at IS NULL AND v_one.outcome = 'delivered' THEN NULL ELSE
               kw_attempts_after(
                 coalesce(d.history, kw_attempts_after(NULL, d.last_attempt_at, d.response_status, d.duration_ms,
                                                       d.reason, d.response_body)),
                 CASE WHEN v_was_tried THEN p_now END, v_one.status, v_one.duration_ms, v_one.reason, v_one.body) END
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
