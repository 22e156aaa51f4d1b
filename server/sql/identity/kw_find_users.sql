-- Returns these users in the form of lists, in the given order; NULL for an unknown user. Users of any tenants: each
-- user, with dependent rows, is read within its tenant. README.md explains the order of the joins.
-- caller: reading
-- type answer: (UserRecord | null)[]
CREATE OR REPLACE FUNCTION kw_find_users(p_tenants text[], p_users text[]) RETURNS json LANGUAGE plpgsql :nested_loops_only AS $$
DECLARE
  v_role text := set_config('role', 'keywright_tenant', true);
BEGIN
  RETURN (
    SELECT json_agg(found.record ORDER BY input.n)
      FROM unnest(p_tenants, p_users) WITH ORDINALITY AS input (tenant_id, id, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', input.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT json_build_object(
                 'id', u.id, 'tenant_id', u.tenant_id, 'is_active', u.is_active, 'metadata', u.metadata,
                 'user_metadata', u.user_metadata, 'created_at', u.created_at, 'name', u.name, 'picture', u.picture,
                 'last_login_at', (
                   SELECT nullif(l.last_login_at, '-infinity') FROM user_logins l
                    WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id),
                 'identifiers', (
                   SELECT coalesce(json_agg(json_build_object(
                            'type', i.type, 'identifier', i.identifier, 'verified', i.verified)
                            ORDER BY i.position), '[]')
                     FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id),
                 'roles', ARRAY(
                   SELECT r.role FROM user_roles r
                    WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id ORDER BY r.role),
                 'workspaces', ARRAY(
                   SELECT m.workspace_id FROM workspace_members m
                    WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id ORDER BY m.position)) AS record
          FROM users u WHERE u.tenant_id = entered.tenant_id AND u.id = input.id LIMIT 1
      ) AS found ON true
  );
END
$$;
