-- Accepts each authenticator code once: its time step must be later than that of the last accepted code (RFC 6238
-- §5.2). Ends the suspension of the user's factors. place: the index of the code, from 1; a code that was already used
-- is missing. Concurrent codes, of any tenants, share one statement and one commit. The commit does not wait for the
-- disk: the later commit of the proof does. p_tenants: sorted by tenant and user.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_use_totps(
  p_tenants text[], p_users text[], p_factors text[], p_steps bigint[], p_now timestamptz[]
) RETURNS TABLE (place integer, auth_version integer) LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_versions integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_tenants)]);
  v_version integer;
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  -- Locked before the factors, in the same order as when factors are removed, to prevent a deadlock.
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    SELECT u.auth_version INTO v_version FROM users u WHERE u.tenant_id = p_tenants[i] AND u.id = p_users[i] FOR SHARE;
    v_versions[i] := v_version;
  END LOOP;
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    v_setting := set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE user_factors f SET last_step = p_steps[i], last_used_at = p_now[i], failures = 0
     WHERE f.tenant_id = p_tenants[i] AND f.user_id = p_users[i] AND f.id = p_factors[i] AND f.confirmed_at IS NOT NULL
       AND f.last_step < p_steps[i];
    CONTINUE WHEN NOT FOUND;
    UPDATE user_factors f SET failures = 0
     WHERE f.tenant_id = p_tenants[i] AND f.user_id = p_users[i] AND f.failures > 0 AND f.id <> p_factors[i];
    RETURN QUERY SELECT i, v_versions[i];
  END LOOP;
END
$$;
