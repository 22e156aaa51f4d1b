-- Returns a pushed authorization request; no row if it is unknown, has expired, or was pushed by another client.
-- caller: batched reading
CREATE OR REPLACE FUNCTION kw_find_pushed_request(p_tenant text, p_id bytea, p_client text, p_now timestamptz)
RETURNS TABLE (parameters text, expires_at timestamptz) LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  RETURN QUERY
  SELECT p.parameters, p.expires_at FROM pushed_requests p
   WHERE p.tenant_id = v_tenant AND p.id = p_id AND p.client_id = p_client AND p.expires_at > p_now;
END
$$;
