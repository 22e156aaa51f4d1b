-- The tables that logins need and that another transaction has locked against them, and whether any statement of this
-- user waits for a lock. Only the first locked table is waited for: short locks, such as a vacuum's, are not a fault.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_find_locked_tables() RETURNS TABLE (locked text[], is_waiting boolean)
LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
  v_table text;
BEGIN
  locked := '{}';
  FOREACH v_table IN ARRAY ARRAY[
    'audit_entries', 'audit_unsealed', 'challenges', 'events', 'login_attempts', 'login_flows', 'roles', 'sessions',
    'signing_keys', 'status_ranges', 'tenant_data_keys', 'tenant_domains', 'tenants', 'user_credentials', 'user_factors',
    'user_identifiers', 'user_roles', 'users', 'webhooks', 'workspace_members', 'workspaces'
  ] LOOP
    BEGIN
      EXECUTE format('LOCK TABLE %I IN ROW EXCLUSIVE MODE', v_table);
    EXCEPTION WHEN lock_not_available THEN
      locked := locked || v_table;
      PERFORM set_config('lock_timeout', '1', true);
    END;
  END LOOP;
  is_waiting := EXISTS (
    SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND usename = session_user AND wait_event_type = 'Lock');
  RETURN NEXT;
END
$$;
