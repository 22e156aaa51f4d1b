-- Returns what sending an event to a stream requires; no row if the stream is unknown.
-- caller: batched reading
-- null: endpoint_url, authorization_header, failing_since
-- of signal_streams: id, method, status
CREATE OR REPLACE FUNCTION kw_find_signal_stream(p_tenant text, p_stream text) RETURNS TABLE (
  id text, client_id text, method text, endpoint_url text, authorization_header bytea, status text,
  failing_since timestamptz
) LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  RETURN QUERY
  SELECT s.id, s.client_id, s.method, s.endpoint_url, s.authorization_header, s.status, s.failing_since
    FROM signal_streams s WHERE s.tenant_id = v_tenant AND s.id = p_stream;
END
$$;
