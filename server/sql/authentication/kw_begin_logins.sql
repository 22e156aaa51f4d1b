-- For nodes of the version before second factors: to them, a user who has one is inactive, so that no login lacks it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_begin_logins(
  p_tenants text[], p_identifiers text[], p_windows integer[], p_now timestamptz[], p_device_users text[],
  p_device_versions integer[], p_attempt_logins integer[], p_attempt_subjects bytea[], p_attempt_limits integer[],
  p_attempt_of_device boolean[]
) RETURNS TABLE (
  retry_after integer, is_device_known boolean, user_id text, is_active boolean, auth_version integer, secret_hash text
)
LANGUAGE sql AS $$
  SELECT s.retry_after, s.is_device_known, s.user_id, s.is_active AND NOT s.has_second_factor, s.auth_version,
         s.secret_hash
    FROM kw_start_logins(
      p_tenants, p_identifiers, p_windows, p_now, p_device_users, p_device_versions, p_attempt_logins,
      p_attempt_subjects, p_attempt_limits, p_attempt_of_device
    ) AS s
$$;
