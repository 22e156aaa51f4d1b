-- The data shown of these users: for each table its columns, one array each, in no order. The caller has entered the
-- tenant, and requested generic plans.
-- caller: none
-- type answer: { readonly users: readonly [ids: UserId[] | null, is_active: boolean[] | null, created_at: string[] | null, metadata: UserRecord['metadata'][] | null, user_metadata: UserRecord['user_metadata'][] | null, name: (string | null)[] | null, picture: (string | null)[] | null, last_login_at: (string | null)[] | null]; readonly identifiers: readonly [users: UserId[] | null, types: ('email' | 'phone')[] | null, identifiers: string[] | null, verified: boolean[] | null, positions: number[] | null]; readonly roles: readonly [users: UserId[] | null, roles: string[] | null]; readonly workspaces: readonly [users: UserId[] | null, workspaces: WorkspaceId[] | null, positions: number[] | null] }
CREATE OR REPLACE FUNCTION kw_user_records(p_tenant text, p_ids text[]) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT json_build_object(
    'users', (
      SELECT json_build_array(
               array_agg(u.id), array_agg(u.is_active), array_agg(u.created_at), array_agg(u.metadata),
               array_agg(u.user_metadata), array_agg(u.name), array_agg(u.picture),
               array_agg((
                 SELECT nullif(l.last_login_at, '-infinity') FROM user_logins l
                  WHERE l.tenant_id = p_tenant AND l.user_id = u.id)))
        FROM users u WHERE u.tenant_id = p_tenant AND u.id = ANY (p_ids)),
    'identifiers', (
      SELECT json_build_array(
               array_agg(i.user_id), array_agg(i.type), array_agg(i.identifier), array_agg(i.verified),
               array_agg(i.position))
        FROM user_identifiers i WHERE i.tenant_id = p_tenant AND i.user_id = ANY (p_ids)),
    'roles', (
      SELECT json_build_array(array_agg(r.user_id), array_agg(r.role))
        FROM user_roles r WHERE r.tenant_id = p_tenant AND r.user_id = ANY (p_ids)),
    'workspaces', (
      SELECT json_build_array(array_agg(m.user_id), array_agg(m.workspace_id), array_agg(m.position))
        FROM workspace_members m WHERE m.tenant_id = p_tenant AND m.user_id = ANY (p_ids))));
END
$$;
