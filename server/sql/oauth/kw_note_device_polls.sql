-- Notes polls of devices that still wait and do not poll too soon, which is the usual case, and returns their positions
-- in the arrays, from 1. kw_poll_device handles all others. The devices of a tenant share one update. The commit does
-- not wait for the disk: at worst a device polls once too often.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note_device_polls(p_tenants text[], p_ids bytea[], p_clients text[], p_now timestamptz)
RETURNS integer[] LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_tenants text[] := p_tenants[1:1];
  v_tenant text;
  v_noted integer[] := '{}';
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  IF p_tenants[1] <> ANY (p_tenants) THEN
    v_tenants := ARRAY(SELECT DISTINCT t.id COLLATE "C" FROM unnest(p_tenants) AS t (id) ORDER BY 1);
  END IF;
  FOREACH v_tenant IN ARRAY v_tenants LOOP
    v_setting := set_config('keywright.tenant_id', v_tenant, true);
    WITH noted AS (
      UPDATE device_grants d SET last_polled_at = p_now
        FROM (SELECT polls.* FROM unnest(p_tenants, p_ids, p_clients) WITH ORDINALITY AS polls (tenant_id, id, client_id, n)
               WHERE polls.tenant_id = v_tenant ORDER BY polls.id) AS poll
       WHERE d.tenant_id = v_tenant AND d.id = poll.id AND d.client_id = poll.client_id AND d.state = 'pending'
         AND d.expires_at > p_now
         AND (d.last_polled_at IS NULL OR d.last_polled_at <= p_now - make_interval(secs => d.interval_seconds - 1))
      RETURNING poll.n::integer)
    SELECT v_noted || array_agg(noted.n) INTO v_noted FROM noted;
  END LOOP;
  RETURN v_noted;
END
$$;
