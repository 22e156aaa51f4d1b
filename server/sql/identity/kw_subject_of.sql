-- What a token says of a user. The caller has entered the tenant.
-- Roles are joined, not looked for in an array: the planner takes an array of unknown length for a long one, so that
-- PostgreSQL would make a new plan for each call.
CREATE OR REPLACE FUNCTION kw_subject_of(p_tenant text, p_user text)
RETURNS kw_subject LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_subject kw_subject;
BEGIN
  v_subject.user_id := p_user;
  SELECT coalesce(array_agg(role ORDER BY role), '{}') INTO v_subject.roles
    FROM user_roles WHERE tenant_id = p_tenant AND user_id = p_user;
  SELECT coalesce(array_agg(DISTINCT scope ORDER BY scope), '{}') INTO v_subject.scopes
    FROM user_roles held
    JOIN roles r ON r.tenant_id = held.tenant_id AND r.name = held.role, unnest(r.scopes) AS scope
   WHERE held.tenant_id = p_tenant AND held.user_id = p_user;
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'type', type, 'identifier', identifier, 'verified', verified) ORDER BY position), '[]')
    INTO v_subject.identifiers
    FROM user_identifiers WHERE tenant_id = p_tenant AND user_id = p_user;
  RETURN v_subject;
END
$$;
