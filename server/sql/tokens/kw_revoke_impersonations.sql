-- Revokes the tokens of impersonating system administrators when the tenant, which they depend on as a grant, is
-- reactivated.
CREATE OR REPLACE FUNCTION kw_revoke_impersonations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(NEW.tenant_id, ARRAY[NEW.tenant_id], '{}');
  RETURN NULL;
END
$$;
