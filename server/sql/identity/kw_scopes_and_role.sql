-- Returns the scopes of a user and of a role; NULL for an unknown role.
-- caller: reading
-- null: required, p_user
CREATE OR REPLACE FUNCTION kw_scopes_and_role(p_tenant text, p_user text, p_role text)
RETURNS TABLE (granted text[], required text[]) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT may.scopes, (SELECT r.scopes FROM roles r WHERE r.tenant_id = p_tenant AND r.name = p_role)
    FROM kw_permissions_of(p_tenant, p_user) AS may;
END
$$;
