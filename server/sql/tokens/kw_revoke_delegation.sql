-- A delegation that ended, gives something else, or had to make room for another one.
CREATE OR REPLACE FUNCTION kw_revoke_delegation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], '{}');
  RETURN NULL;
END
$$;
