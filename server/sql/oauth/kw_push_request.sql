-- Stores an authorization request of a client until it expires (RFC 9126). Returns false if the version of the client is
-- no longer p_version; version 0 is a client that is known only by its metadata document.
-- caller: batched writing
CREATE OR REPLACE FUNCTION kw_push_request(
  p_tenant text, p_id bytea, p_client text, p_version integer, p_parameters text, p_expires_at timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  INSERT INTO pushed_requests (tenant_id, id, client_id, parameters, expires_at)
  SELECT v_tenant, p_id, p_client, p_parameters, p_expires_at
   WHERE p_version = coalesce((SELECT c.version FROM oauth_clients c WHERE c.tenant_id = v_tenant AND c.id = p_client), 0);
  RETURN FOUND;
END
$$;
