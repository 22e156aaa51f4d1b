-- Tokens of impersonating system administrators depend on the tenant as a grant: they end when it is reactivated.
CREATE OR REPLACE FUNCTION kw_revoke_impersonations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(NEW.tenant_id, ARRAY[NEW.tenant_id], '{}');
  RETURN NULL;
END
$$;
