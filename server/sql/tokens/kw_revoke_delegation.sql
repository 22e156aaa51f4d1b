-- Revokes the tokens of a delegation that ended, changed permissions, or was replaced.
CREATE OR REPLACE FUNCTION kw_revoke_delegation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], '{}');
  RETURN NULL;
END
$$;
