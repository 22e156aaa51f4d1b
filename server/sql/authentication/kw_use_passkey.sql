-- Replaced by kw_use_passkeys; nodes of the previous version call it.
-- caller: none
CREATE OR REPLACE FUNCTION kw_use_passkey(
  p_tenant text, p_flow text, p_user text, p_factor text, p_counter bigint, p_backed_up boolean, p_now timestamptz
) RETURNS TABLE (auth_version integer, is_known boolean, credentials bytea[]) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_auth_version integer;
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Before the factors, as whoever removes them does; else each could wait for the other.
  SELECT u.auth_version INTO v_auth_version FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user FOR SHARE;
  UPDATE user_factors k SET counter = p_counter, backed_up = p_backed_up, last_used_at = p_now
   WHERE k.tenant_id = p_tenant AND k.user_id = p_user AND k.id = p_factor AND k.type = 'passkey'
     AND (k.counter < p_counter OR (p_counter = 0 AND k.counter = 0));
  IF NOT FOUND THEN
    RETURN QUERY
    SELECT NULL::integer,
           EXISTS (SELECT FROM user_factors k WHERE k.tenant_id = p_tenant AND k.user_id = p_user AND k.id = p_factor),
           '{}'::bytea[];
    RETURN;
  END IF;
  UPDATE user_factors f SET failures = 0
   WHERE f.tenant_id = p_tenant AND f.user_id = p_user AND f.failures > 0;
  UPDATE login_flows f SET identifier = i.identifier
    FROM (SELECT o.identifier FROM user_identifiers o
           WHERE o.tenant_id = p_tenant AND o.user_id = p_user ORDER BY o.verified DESC, o.position LIMIT 1) AS i
   WHERE f.tenant_id = p_tenant AND f.id = p_flow AND f.identifier = '' AND f.ended_at IS NULL;
  RETURN QUERY
  SELECT v_auth_version, true,
         ARRAY(SELECT k.credential_id FROM user_factors k
                WHERE k.tenant_id = p_tenant AND k.user_id = p_user AND k.type = 'passkey' ORDER BY k.id);
END
$$;
