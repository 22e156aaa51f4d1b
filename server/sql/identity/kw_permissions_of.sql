-- The roles and scopes of a user, as in tokens; empty for a user without any. The caller has entered the tenant.
-- PostgreSQL inlines it: a statement that joins it is planned as if it contained this query.
-- caller: none
CREATE OR REPLACE FUNCTION kw_permissions_of(p_tenant text, p_user text)
RETURNS TABLE (roles text[], scopes text[]) LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(DISTINCT assigned.role), '{}'),
         coalesce(array_agg(DISTINCT scope) FILTER (WHERE scope IS NOT NULL), '{}')
    FROM user_roles assigned
    LEFT JOIN LATERAL (
      SELECT roles.scopes FROM roles WHERE roles.tenant_id = p_tenant AND roles.name = assigned.role LIMIT 1
    ) AS r ON true
    LEFT JOIN LATERAL unnest(r.scopes) AS scope ON true
   WHERE assigned.tenant_id = p_tenant AND assigned.user_id = p_user
$$;
