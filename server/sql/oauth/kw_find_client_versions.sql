-- Returns the current version of each of these clients, in the given order; NULL for an unknown client. README.md
-- explains the order of the joins.
-- caller: reading
-- type answer: (number | null)[]
CREATE OR REPLACE FUNCTION kw_find_client_versions(p_tenants text[], p_clients text[])
RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN (
    SELECT json_agg(found.version ORDER BY input.n)
      FROM unnest(p_tenants, p_clients) WITH ORDINALITY AS input (tenant_id, id, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT c.version FROM oauth_clients c
         WHERE c.tenant_id = entered.tenant_id AND c.id = input.id LIMIT 1
      ) AS found ON true
  );
END
$$;
