-- Before hashes are computed: counts the attempt of each login, and finds its user. Known, unknown and inactive users
-- cost the same statements. Concurrent logins, of any tenants, are one statement and one commit. retry_after: the
-- seconds to wait, NULL if admitted. The commit does not wait for the disk: attempts lost in a crash of the database
-- were not answered yet. Limits by address and by identifier are separate, and a device that its user logged in from
-- previously is counted separately: wrong guesses by others do not lock it out. p_device_users, p_device_versions: the
-- user of the device that a login presents, and the auth_version at that time; NULL for none. The device is known if
-- the identifier is that user's, and the version is still the same. p_attempt_logins: the index, from 1, of the login
-- of each of p_attempt_subjects. p_attempt_of_device: counted instead of the other attempts of its login if the device
-- is known; otherwise not counted. p_attempt_reserves: by how much a limit is higher for a network that is new to the
-- identifier. NULL: this counter determines for the limits after it whether the network is new, and refuses nothing.
-- README.md explains the order of the joins and of the locks.
-- caller: writing
-- null: retry_after, secret_hash, p_device_users, p_device_versions, p_attempt_reserves
-- when user_id: is_active, auth_version, has_second_factor
CREATE OR REPLACE FUNCTION kw_start_logins(
  p_tenants text[], p_identifiers text[], p_now timestamptz[], p_device_users text[], p_device_versions integer[],
  p_attempt_logins integer[], p_attempt_subjects bytea[], p_attempt_limits integer[], p_attempt_windows integer[],
  p_attempt_reserves integer[], p_attempt_of_device boolean[]
) RETURNS TABLE (
  retry_after integer, is_device_known boolean, user_id text, is_active boolean, auth_version integer,
  has_second_factor boolean, secret_hash text
)
LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_setting text;
  v_login integer;
  v_wait integer;
  v_waits integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_tenants)]);
  v_known boolean[] := array_fill(false, ARRAY[cardinality(p_tenants)]);
  v_new boolean[] := array_fill(false, ARRAY[cardinality(p_tenants)]);
BEGIN
  -- An assignment runs no separate statement, unlike PERFORM.
  v_setting := set_config('role', 'keywright_tenant', true);
  v_setting := set_config('synchronous_commit', 'off', true);
  FOR i IN 1 .. cardinality(p_attempt_logins) LOOP
    v_login := p_attempt_logins[i];
    -- An attempt rejected by address is not counted by identifier.
    CONTINUE WHEN v_waits[v_login] IS NOT NULL;
    v_setting := set_config('keywright.tenant_id', p_tenants[v_login], true);
    IF p_attempt_of_device[i] THEN
      v_known[v_login] := EXISTS (
        SELECT FROM user_identifiers found
          JOIN users u ON u.tenant_id = found.tenant_id AND u.id = found.user_id
         WHERE found.tenant_id = p_tenants[v_login] AND found.identifier = p_identifiers[v_login]
           AND found.user_id = p_device_users[v_login]
           AND u.auth_version = p_device_versions[v_login]);
    END IF;
    CONTINUE WHEN p_attempt_of_device[i] <> v_known[v_login];
    v_wait := kw_count_attempt(
      p_tenants[v_login], p_attempt_subjects[i],
      p_attempt_limits[i] + CASE WHEN v_new[v_login] THEN coalesce(p_attempt_reserves[i], 0) ELSE 0 END,
      p_attempt_windows[i], p_now[v_login]);
    IF p_attempt_reserves[i] IS NULL THEN
      v_new[v_login] := v_wait IS NULL;
      -- Also counted beyond its limit, so that a successful login discounts exactly what it was counted by.
      UPDATE login_attempts SET attempts = attempts + 1
       WHERE v_wait IS NOT NULL AND tenant_id = p_tenants[v_login] AND subject = p_attempt_subjects[i];
    ELSE
      v_waits[v_login] := v_wait;
    END IF;
  END LOOP;
  RETURN QUERY
  SELECT input.wait, input.is_known, i.user_id, u.is_active, u.auth_version,
         u.has_second_factor, c.secret_hash
    FROM unnest(p_tenants, p_identifiers, v_waits, v_known)
         WITH ORDINALITY AS input (tenant_id, identifier, wait, is_known, n)
   CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
    LEFT JOIN LATERAL (
      SELECT found.user_id FROM user_identifiers found
       WHERE found.tenant_id = entered.tenant_id AND found.identifier = input.identifier LIMIT 1
    ) AS i ON input.wait IS NULL
    LEFT JOIN LATERAL (
      SELECT users.is_active, users.auth_version, users.has_second_factor FROM users
       WHERE users.tenant_id = entered.tenant_id AND users.id = i.user_id LIMIT 1
    ) AS u ON true
    LEFT JOIN LATERAL (
      SELECT credential.secret_hash FROM user_credentials credential
       WHERE credential.tenant_id = entered.tenant_id AND credential.user_id = i.user_id AND credential.type = 'password' LIMIT 1
    ) AS c ON true
   ORDER BY input.n;
END
$$;
