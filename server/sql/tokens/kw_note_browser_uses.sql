-- Replaced by kw_write_browser_uses; nodes of the previous version call it.
-- caller: none
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
