-- Accepts the code of an authenticator once: its time step must be later than that of the last accepted code (RFC 6238
-- §5.2). Ends the suspension of the user's factors. Returns auth_version of the user, null if the code was used before.
-- The commit does not wait for the disk: the later commit of the proof does.
-- caller: batched writing
-- null: answer
CREATE OR REPLACE FUNCTION kw_use_totp(
  p_tenant text, p_user text, p_factor text, p_step bigint, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_tenant text := kw_enter(p_tenant);
  v_version integer;
BEGIN
  -- Locked before the factors, in the same order as when factors are removed, to prevent a deadlock.
  SELECT u.auth_version INTO v_version FROM users u WHERE u.tenant_id = v_tenant AND u.id = p_user FOR SHARE;
  UPDATE user_factors f SET last_step = p_step, last_used_at = p_now, failures = 0
   WHERE f.tenant_id = v_tenant AND f.user_id = p_user AND f.id = p_factor AND f.confirmed_at IS NOT NULL
     AND f.last_step < p_step;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE user_factors f SET failures = 0
   WHERE f.tenant_id = v_tenant AND f.user_id = p_user AND f.failures > 0 AND f.id <> p_factor;
  RETURN v_version;
END
$$;
