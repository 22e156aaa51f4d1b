-- When browser sessions were last used, and when they end without another use. A session that ended, or whose use was noted
-- after `p_noted_before`, remains as it is. It does not wait for the disk: a crash of the database server loses the uses of the
-- last half second.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note_browser_uses(
  p_tenants text[], p_sessions text[], p_now timestamptz[], p_noted_before timestamptz[], p_expires_at timestamptz[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE sessions SET expires_at = p_expires_at[i], refresh_issued_at = p_now[i]
     WHERE tenant_id = p_tenants[i] AND id = p_sessions[i] AND kind = 'browser' AND is_active
       AND refresh_issued_at <= p_noted_before[i];
  END LOOP;
END
$$;
