-- Returns these streams, in the given order; NULL for an unknown stream. README.md explains the order of the joins.
-- caller: reading
-- type answer: ({ readonly id: SignalStreamId; readonly client_id: OAuthClientId; readonly method: 'push' | 'poll'; readonly endpoint_url: string | null; readonly authorization_header: string | null; readonly status: 'enabled' | 'paused' | 'disabled'; readonly failing_since: string | null } | null)[]
CREATE OR REPLACE FUNCTION kw_find_signal_streams(p_tenants text[], p_streams text[])
RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN (
    SELECT json_agg(found.record ORDER BY asked.n)
      FROM unnest(p_tenants, p_streams) WITH ORDINALITY AS asked (tenant_id, id, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT jsonb_build_object(
                 'id', s.id, 'client_id', s.client_id, 'method', s.method, 'endpoint_url', s.endpoint_url,
                 'authorization_header', encode(s.authorization_header, 'base64'), 'status', s.status,
                 'status_reason', s.status_reason, 'failing_since', s.failing_since) AS record
          FROM signal_streams s WHERE s.tenant_id = entered.tenant_id AND s.id = asked.id LIMIT 1
      ) AS found ON true
  );
END
$$;
