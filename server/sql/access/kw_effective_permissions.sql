-- Returns the current permissions of subjects, and their membership in a workspace: one row each, in the order of the
-- arrays. place is 'unknown' or 'inactive' for the workspace, otherwise 'inside' or 'outside' for this subject; NULL
-- if no workspace is given. An unknown subject holds nothing and is inactive. Scopes are read only if requested,
-- because a token contains its own scopes. Handles many tenants in one round trip, entering each separately.
-- caller: reading
-- null: place, p_workspaces
-- type place: 'inside' | 'outside' | 'inactive' | 'unknown'
CREATE OR REPLACE FUNCTION kw_effective_permissions(
  p_tenants text[], p_subjects text[], p_holdings boolean[], p_workspaces text[]
) RETURNS TABLE (is_active boolean, scopes text[], place text) LANGUAGE plpgsql AS $$
DECLARE
  v_is_user boolean;
  v_home text;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    v_is_user := starts_with(p_subjects[i], 'user:');
    v_home := NULL;
    is_active := NULL;
    scopes := NULL;
    IF NOT v_is_user THEN
      SELECT a.is_active, a.scopes, a.workspace_id INTO is_active, scopes, v_home FROM agents a
       WHERE a.tenant_id = p_tenants[i] AND a.id = p_subjects[i];
    ELSIF p_holdings[i] THEN
      SELECT u.is_active INTO is_active FROM users u
       WHERE u.tenant_id = p_tenants[i] AND u.id = p_subjects[i];
      SELECT may.scopes INTO scopes FROM kw_permissions_of(p_tenants[i], p_subjects[i]) AS may;
    END IF;
    place := NULL;
    IF p_workspaces[i] IS NOT NULL THEN
      SELECT CASE
          WHEN NOT w.is_active THEN 'inactive'
          WHEN w.id = v_home THEN 'inside'
          WHEN NOT v_is_user THEN 'outside'
          WHEN w.id = 'ws_default' THEN 'inside'
          WHEN EXISTS (SELECT FROM workspace_members m
                        WHERE m.tenant_id = w.tenant_id AND m.workspace_id = w.id
                          AND m.user_id = p_subjects[i]) THEN 'inside'
          ELSE 'outside'
        END INTO place
        FROM workspaces w WHERE w.tenant_id = p_tenants[i] AND w.id = p_workspaces[i];
      place := coalesce(place, 'unknown');
    END IF;
    is_active := coalesce(is_active, false);
    scopes := coalesce(scopes, '{}');
    RETURN NEXT;
  END LOOP;
END
$$;
