-- Records when browser sessions were last used, and when they end without further use. Leaves a session unchanged if
-- it ended, or its use was written after `p_written_before`. All uses are recorded at `p_now`, the earliest of them.
-- The sessions of a tenant share one update and its shortest idle time. The commit is asynchronous: a database crash
-- loses the uses of the last half second. Waiting for a lock is limited to a quarter of a second.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_write_browser_uses(
  p_tenants text[], p_sessions text[], p_idle_seconds integer[], p_now timestamptz, p_written_before timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_used record;
BEGIN
  v_setting := set_config('lock_timeout', '250ms', true);
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR v_used IN
    SELECT used.tenant_id, array_agg(used.id) AS sessions, make_interval(secs => min(used.idle_seconds)) AS idle
      FROM unnest(p_tenants, p_sessions, p_idle_seconds) AS used (tenant_id, id, idle_seconds)
     GROUP BY used.tenant_id ORDER BY used.tenant_id COLLATE "C"
  LOOP
    v_setting := set_config('keywright.tenant_id', v_used.tenant_id, true);
    UPDATE sessions SET expires_at = least(p_now + v_used.idle, absolute_expires_at), refresh_issued_at = p_now
     WHERE tenant_id = v_used.tenant_id AND id = ANY (v_used.sessions) AND kind = 'browser' AND is_active
       AND refresh_issued_at <= p_written_before;
  END LOOP;
END
$$;
