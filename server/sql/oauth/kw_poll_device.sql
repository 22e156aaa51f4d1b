-- Polls a device grant, and returns the state of the login; no row if the grant is unknown or belongs to another client.
-- The row decides whether a device polls too soon: then its interval increases by 5 seconds (RFC 8628 §3.5), with a
-- tolerance of one second because the clocks of nodes differ. The commit does not wait for the disk: at worst a device
-- polls once too often.
-- caller: batched writing
-- type outcome: 'pending' | 'too_soon' | 'denied' | 'expired' | 'approved'
-- when outcome 'approved': user_id, workspace_id, login_id, consent_id, consent_version, scopes, targets
CREATE OR REPLACE FUNCTION kw_poll_device(p_tenant text, p_id bytea, p_client text, p_now timestamptz) RETURNS TABLE (
  outcome text, user_id text, workspace_id text, login_id text, consent_id text, consent_version integer, scopes text[],
  targets text[]
) LANGUAGE plpgsql ROWS 1 AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_tenant text := kw_enter(p_tenant);
  v_grant device_grants;
BEGIN
  -- The usual case: the grant is pending, and the device polls in time.
  UPDATE device_grants d SET last_polled_at = p_now
   WHERE d.tenant_id = v_tenant AND d.id = p_id AND d.client_id = p_client AND d.state = 'pending' AND d.expires_at > p_now
     AND (d.last_polled_at IS NULL OR d.last_polled_at <= p_now - make_interval(secs => d.interval_seconds - 1));
  IF FOUND THEN
    outcome := 'pending';
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT d.* INTO v_grant FROM device_grants d
   WHERE d.tenant_id = v_tenant AND d.id = p_id AND d.client_id = p_client FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  outcome := CASE
    WHEN v_grant.state = 'denied' THEN 'denied'
    WHEN v_grant.expires_at <= p_now THEN 'expired'
    WHEN v_grant.state = 'approved' THEN 'approved'
    ELSE 'too_soon' END;
  IF outcome = 'too_soon' THEN
    UPDATE device_grants d SET last_polled_at = p_now, interval_seconds = d.interval_seconds + 5
     WHERE d.tenant_id = v_tenant AND d.id = p_id;
  ELSIF outcome = 'approved' THEN
    user_id := v_grant.user_id;
    workspace_id := v_grant.workspace_id;
    login_id := v_grant.login_id;
    consent_id := v_grant.consent_id;
    consent_version := v_grant.consent_version;
    scopes := v_grant.granted_scopes;
    targets := v_grant.targets;
  END IF;
  RETURN NEXT;
END
$$;
