-- Polls device grants, in the given order, sorted by tenant and ID. Returns the state of each login; NULL for a grant
-- that is unknown, or belongs to another client. The row decides whether a device polls too soon: then its interval
-- increases by 5 seconds (RFC 8628 §3.5), with a tolerance of one second because the clocks of nodes differ.
-- Concurrent polls, of any tenants, share one statement and one commit, which does not wait for the disk: at worst a
-- device polls once too often. Row-level security admits one tenant at a time.
-- caller: writing
-- type answer: ({ readonly outcome: 'pending' | 'too_soon' | 'denied' | 'expired' } | { readonly outcome: 'approved'; readonly user_id: UserId; readonly workspace_id: WorkspaceId; readonly login_id: SessionId; readonly consent_id: ConsentId; readonly consent_version: number; readonly scopes: readonly string[]; readonly targets: readonly string[] } | null)[]
CREATE OR REPLACE FUNCTION kw_poll_devices(
  p_tenants text[], p_ids bytea[], p_clients text[], p_now timestamptz[]
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_polled json;
  v_answers json[] := '{}';
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    -- The usual case: the grant is pending, and the device polls in time.
    UPDATE device_grants d
       SET last_polled_at = p_now[i]
     WHERE d.tenant_id = p_tenants[i] AND d.id = p_ids[i] AND d.client_id = p_clients[i]
       AND d.state = 'pending' AND d.expires_at > p_now[i]
       AND (d.last_polled_at IS NULL
            OR d.last_polled_at <= p_now[i] - make_interval(secs => d.interval_seconds - 1));
    IF FOUND THEN
      v_answers := array_append(v_answers, '{"outcome":"pending"}');
      CONTINUE;
    END IF;
    WITH asked AS (
      SELECT d.*,
             CASE
               WHEN d.state = 'denied' THEN 'denied'
               WHEN d.expires_at <= p_now[i] THEN 'expired'
               WHEN d.state = 'approved' THEN 'approved'
               ELSE 'too_soon'
             END AS outcome
        FROM device_grants d
       WHERE d.tenant_id = p_tenants[i] AND d.id = p_ids[i] AND d.client_id = p_clients[i]
         FOR UPDATE
    ), noted AS (
      UPDATE device_grants d
         SET last_polled_at = p_now[i], interval_seconds = d.interval_seconds + 5
        FROM asked
       WHERE d.tenant_id = p_tenants[i] AND d.id = p_ids[i] AND asked.outcome = 'too_soon'
    )
    SELECT json_build_object(
             'outcome', a.outcome, 'user_id', a.user_id, 'workspace_id', a.workspace_id, 'login_id', a.login_id,
             'consent_id', a.consent_id, 'consent_version', a.consent_version, 'scopes', a.granted_scopes,
             'targets', a.targets)
      INTO v_polled FROM asked a;
    v_answers := array_append(v_answers, v_polled);
  END LOOP;
  RETURN array_to_json(v_answers);
END
$$;
