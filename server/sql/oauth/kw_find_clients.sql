-- Returns these clients with all of their settings and the SHA-256 of each secret, in the given order; NULL for an
-- unknown client. README.md explains the order of the joins.
-- caller: reading
-- type answer: (Omit<OAuthClientRecord, 'secrets' | 'created_at' | 'last_used_at'> & { readonly version: number; readonly secret_hashes: readonly string[] } | null)[]
CREATE OR REPLACE FUNCTION kw_find_clients(p_tenants text[], p_clients text[])
RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN (
    SELECT json_agg(found.record ORDER BY input.n)
      FROM unnest(p_tenants, p_clients) WITH ORDINALITY AS input (tenant_id, id, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT to_jsonb(c) || jsonb_build_object('secret_hashes', ARRAY(
                 SELECT encode(s.secret_hash, 'base64') FROM oauth_client_secrets s
                  WHERE s.tenant_id = c.tenant_id AND s.client_id = c.id)) AS record
          FROM oauth_clients c WHERE c.tenant_id = entered.tenant_id AND c.id = input.id LIMIT 1
      ) AS found ON true
  );
END
$$;
