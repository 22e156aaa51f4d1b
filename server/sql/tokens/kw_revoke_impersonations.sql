-- Tokens of visiting system administrators depend on the tenant, which is a grant of its own: they end when it is made
-- active again.
CREATE OR REPLACE FUNCTION kw_revoke_impersonations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(NEW.tenant_id, ARRAY[NEW.tenant_id], '{}');
  RETURN NULL;
END
$$;
