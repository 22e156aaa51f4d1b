-- Whether an API key or a delegation is usable, as far as that is its own: neither revoked nor expired. Whether its agent
-- and its user are active comes on top. PostgreSQL inlines it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_is_usable(p_revoked_at timestamptz, p_expires_at timestamptz, p_now timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT p_revoked_at IS NULL AND p_expires_at > p_now
$$;
