-- Stores authorization requests of clients until they expire (RFC 9126), and returns whether each was stored, in the
-- given order. A request is not stored if its client's version differs from p_versions; version 0 is a client that is
-- known only by its metadata document. Concurrent requests, of any tenants, share one statement and one commit, which
-- does not wait for the disk: a client whose request is lost pushes it again. README.md explains the order of the
-- joins.
-- caller: writing
-- type answer: boolean[]
CREATE OR REPLACE FUNCTION kw_push_known_requests(
  p_tenants text[], p_ids bytea[], p_clients text[], p_versions integer[], p_parameters text[], p_expires_at timestamptz[]
) RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_setting text := set_config('synchronous_commit', 'off', true);
  v_stored bytea[];
BEGIN
  v_setting := set_config('role', 'keywright_tenant', true);
  WITH stored AS (
    INSERT INTO pushed_requests (tenant_id, id, client_id, parameters, expires_at)
    SELECT entered.tenant_id, asked.id, asked.client_id, asked.parameters, asked.expires_at
      FROM unnest(p_tenants, p_ids, p_clients, p_versions, p_parameters, p_expires_at)
           AS asked (tenant_id, id, client_id, version, parameters, expires_at)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT c.version FROM oauth_clients c
         WHERE c.tenant_id = entered.tenant_id AND c.id = asked.client_id LIMIT 1
      ) AS found ON true
     WHERE coalesce(found.version, 0) = asked.version
    RETURNING id
  )
  SELECT coalesce(array_agg(id), '{}') INTO v_stored FROM stored;
  RETURN (SELECT json_agg(asked.id = ANY (v_stored) ORDER BY asked.n) FROM unnest(p_ids) WITH ORDINALITY AS asked (id, n));
END
$$;
