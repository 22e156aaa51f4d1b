-- Returns the tables that contain queued work, due or not, of any tenant. Each node polls every second: one statement
-- instead of a transaction for each queue. Takes a single index probe per table, whatever the statistics are.
-- caller: reading
-- type answer: 'messages' | 'webhook_deliveries' | 'logout_deliveries' | 'signal_deliveries' | 'account_exports' | 'audit_unsealed'
CREATE OR REPLACE FUNCTION kw_find_pending_work() RETURNS SETOF text LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_system', true);
BEGIN
  RETURN QUERY
  SELECT 'messages' WHERE EXISTS (SELECT FROM messages WHERE status = 'pending')
   UNION ALL
  SELECT 'logout_deliveries' WHERE EXISTS (SELECT FROM logout_deliveries WHERE status = 'pending')
   UNION ALL
  SELECT 'signal_deliveries' WHERE EXISTS (SELECT FROM signal_deliveries WHERE status = 'pending')
   UNION ALL
  SELECT 'account_exports' WHERE EXISTS (SELECT FROM account_exports WHERE status = 'pending')
   UNION ALL
  -- Includes deliveries without a row: see kw_queue_unsent.
  SELECT 'webhook_deliveries'
   WHERE EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending')
      OR EXISTS (SELECT FROM events
                  WHERE told IS NOT NULL AND xid >= (SELECT before_xid FROM deliveries_checked WHERE only_row))
   UNION ALL
  SELECT 'audit_unsealed' WHERE EXISTS (SELECT FROM audit_unsealed);
END
$$;
