-- Claims due messages of some queues, each in its tenant, up to a limit per queue. No other node claims them until the
-- lease ends; expired leases are taken over. Rows are found in the only index with their order, and updated one by one,
-- by ctid: no other row is read, whatever the statistics were at planning time. A claim lost in a crash is made again,
-- so the commit does not wait for the disk.
-- caller: writing
-- null: locale, user_locale, challenge_id, through
-- of messages: kind, channel
-- type id: MessageId
-- type vars: Record<string, string>
CREATE OR REPLACE FUNCTION kw_claim_messages(
  p_tenants text[], p_queue_keys text[], p_limits integer[], p_now timestamptz, p_until timestamptz
) RETURNS TABLE (
  tenant_id text, id text, queue_key text, attempts integer, takes integer, expires_at timestamptz, kind text,
  channel text, locale text, user_locale text, destination bytea, masked_destination text, challenge_id text, vars jsonb,
  to_page boolean, through bytea, created_at timestamptz
) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_setting text;
  v_place tid;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  v_setting := set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    FOR v_place IN
      SELECT d.ctid FROM messages d
       WHERE d.tenant_id = p_tenants[i] AND d.queue_key = p_queue_keys[i] AND d.status = 'pending'
         AND d.due_at <= p_now AND (d.held_until IS NULL OR d.held_until <= p_now)
       ORDER BY d.due_at LIMIT p_limits[i] FOR UPDATE SKIP LOCKED
    LOOP
      RETURN QUERY
      UPDATE messages m SET takes = m.takes + 1, held_until = p_until WHERE m.ctid = v_place
      RETURNING m.tenant_id, m.id, m.queue_key, m.attempts, m.takes, m.expires_at, m.kind, m.channel, m.locale, m.user_locale,
                m.destination, m.masked_destination, m.challenge_id, m.vars, m.to_page, m.through,
                m.created_at;
    END LOOP;
  END LOOP;
END
$$;
