-- Returns these pushed authorization requests, in the given order; NULL for a request that is unknown, has expired, or
-- was pushed by another client. README.md explains the order of the joins.
-- caller: reading
-- type answer: ({ readonly parameters: string; readonly expires_at: string } | null)[]
CREATE OR REPLACE FUNCTION kw_find_pushed_requests(
  p_tenants text[], p_ids bytea[], p_clients text[], p_now timestamptz[]
) RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN (
    SELECT json_agg(found.record ORDER BY asked.n)
      FROM unnest(p_tenants, p_ids, p_clients, p_now) WITH ORDINALITY AS asked (tenant_id, id, client_id, now, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT json_build_object('parameters', p.parameters, 'expires_at', p.expires_at) AS record
          FROM pushed_requests p
         WHERE p.tenant_id = entered.tenant_id AND p.id = asked.id AND p.client_id = asked.client_id
           AND p.expires_at > asked.now LIMIT 1
      ) AS found ON true
  );
END
$$;
