-- Returns the workspace of a login: the requested one, else the user's first, else ws_default. Returns NULL if the
-- user does not belong to the requested one.
-- caller: none
CREATE OR REPLACE FUNCTION kw_login_workspace(p_tenant text, p_user text, p_asked text)
RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_workspace text;
BEGIN
  SELECT m.workspace_id INTO v_workspace
    FROM workspace_members m
    JOIN workspaces w ON w.tenant_id = m.tenant_id AND w.id = m.workspace_id AND w.is_active
   WHERE m.tenant_id = p_tenant AND m.user_id = p_user
     AND (p_asked IS NULL OR m.workspace_id = p_asked)
   ORDER BY m.position LIMIT 1;
  IF v_workspace IS NULL AND coalesce(p_asked, 'ws_default') = 'ws_default' THEN
    RETURN 'ws_default';
  END IF;
  RETURN v_workspace;
END
$$;
