-- Whether an API key or a delegation itself is usable: neither revoked nor expired. Whether its agent and its user are
-- active is a separate condition. PostgreSQL inlines it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_is_usable(p_revoked_at timestamptz, p_expires_at timestamptz, p_now timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_revoked_at IS NULL AND p_expires_at > p_now
$$;
