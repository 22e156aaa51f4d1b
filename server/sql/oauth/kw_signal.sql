-- Queues an event about a user for each stream that receives it, in the transaction of the change: the event is never
-- lost and never reports a change that did not happen. A client of `own_users` gets events about its own sessions, and
-- about users with a session or a consent there. The caller has entered the tenant. The due time is five minutes ago,
-- because the clocks of the nodes can differ from that of the database; this also preserves the order.
-- caller: none
CREATE OR REPLACE FUNCTION kw_signal(
  p_tenant text, p_type text, p_user text, p_session text, p_client text, p_cause text, p_data jsonb
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Most tenants have none.
  IF NOT EXISTS (SELECT FROM signal_streams s WHERE s.tenant_id = p_tenant AND s.status <> 'disabled') THEN
    RETURN;
  END IF;
  -- The rows of a deleted tenant are being removed, so no new rows are added.
  PERFORM FROM tenants WHERE tenant_id = p_tenant AND deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO signal_deliveries (
    tenant_id, id, queue_key, user_id, session_id, type, data, cause, txn, status, due_at, expires_at, created_at)
  SELECT p_tenant, 'set_' || replace(gen_random_uuid()::text, '-', ''), s.id, p_user, p_session, p_type,
         jsonb_strip_nulls(p_data || jsonb_build_object(
           'event_timestamp', floor(extract(epoch FROM now())),
           'initiating_entity', kw_signal_initiator(p_user, p_cause))),
         p_cause,
         left(encode(sha256(convert_to(p_tenant || ' ' || pg_current_xact_id(), 'UTF8')), 'hex'), 32),
         CASE WHEN s.method = 'push' AND s.status = 'enabled' THEN 'pending' ELSE 'waiting' END,
         now() - interval '5 minutes', now() + interval '7 days', now()
    FROM signal_streams s
    JOIN oauth_clients c ON c.tenant_id = s.tenant_id AND c.id = s.client_id AND c.is_active
   WHERE s.tenant_id = p_tenant AND s.status <> 'disabled' AND p_type = ANY (s.events_delivered)
     AND CASE c.shared_signals
           WHEN 'all_users' THEN true
           WHEN 'own_users' THEN CASE
             WHEN p_session IS NOT NULL THEN coalesce(p_client = c.id, false)
             ELSE EXISTS (SELECT FROM consents n
                           WHERE n.tenant_id = p_tenant AND n.user_id = p_user AND n.client_id = c.id
                             AND n.revoked_at IS NULL)
                  -- Not by the index of clients: the user has fewer sessions.
                  OR EXISTS (SELECT FROM sessions l
                              WHERE l.tenant_id = p_tenant AND l.user_id = p_user AND l.client_id IS NOT DISTINCT FROM c.id)
             END
           ELSE false
         END;
END
$$;
