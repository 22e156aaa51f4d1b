-- When browser sessions were last used, and when they end without another use. A session that ended, or whose use was noted
-- after `p_noted_before`, remains as it is. Uses in one tenant are one update, with the latest of their times: they are
-- collected for a moment only. It does not wait for the disk: a crash of the database server loses the uses of the last
-- half second.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note_browser_uses(
  p_tenants text[], p_sessions text[], p_now timestamptz[], p_noted_before timestamptz[], p_expires_at timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_used record;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR v_used IN
    SELECT used.tenant_id, array_agg(used.id) AS sessions, max(used.now) AS now, max(used.noted_before) AS noted_before,
           max(used.expires_at) AS expires_at
      FROM unnest(p_tenants, p_sessions, p_now, p_noted_before, p_expires_at)
           AS used (tenant_id, id, now, noted_before, expires_at)
     GROUP BY used.tenant_id ORDER BY used.tenant_id COLLATE "C"
  LOOP
    v_setting := set_config('keywright.tenant_id', v_used.tenant_id, true);
    -- By the primary key, so that sessions are locked in its order.
    UPDATE sessions SET expires_at = least(v_used.expires_at, absolute_expires_at), refresh_issued_at = v_used.now
     WHERE tenant_id = v_used.tenant_id AND id = ANY (v_used.sessions) AND kind = 'browser' AND is_active
       AND refresh_issued_at <= v_used.noted_before;
  END LOOP;
END
$$;
