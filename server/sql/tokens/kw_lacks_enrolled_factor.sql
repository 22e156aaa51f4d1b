-- Whether a login counts as two factors only because a provider reported them, while its user holds scopes and has
-- enrolled a second factor: that factor is then required. A login with the user's own factor names it in p_amr; a code
-- by SMS is not such a factor.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_lacks_enrolled_factor(p_tenant text, p_user text, p_acr text, p_amr text[])
RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_acr <> 'aal2' OR NOT 'fed' = ANY (p_amr) OR 'recovery' = ANY (p_amr)
     OR 'otp' = ANY (p_amr) AND NOT 'sms' = ANY (p_amr) THEN
    RETURN false;
  END IF;
  PERFORM kw_enter(p_tenant);
  RETURN EXISTS (SELECT FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user AND u.has_second_factor)
     AND EXISTS (SELECT FROM user_roles assigned JOIN roles r ON r.tenant_id = assigned.tenant_id AND r.name = assigned.role
                  WHERE assigned.tenant_id = p_tenant AND assigned.user_id = p_user AND r.scopes <> '{}');
END
$$;
