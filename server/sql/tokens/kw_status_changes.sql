-- Returns the tenants that have changes after the caller's version, or for which the caller has none (NULL): their
-- index in the arrays from 0, the current version, and the bits set since; NULL if there are more than the limit.
-- Handles many tenants in one round trip, entering each separately.
-- caller: reading
-- null: indexes, p_after
CREATE OR REPLACE FUNCTION kw_status_changes(p_tenants text[], p_after bigint[], p_most integer)
RETURNS TABLE (place integer, version bigint, indexes bigint[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    version := kw_status_version(p_tenants[i]);
    IF version > coalesce(p_after[i], 0) THEN
      place := i - 1;
      SELECT coalesce(array_agg(found.idx), '{}') INTO indexes FROM (
        SELECT r.idx FROM status_revocations r
         WHERE r.tenant_id = p_tenants[i]
           AND r.version > p_after[i] AND r.version <= kw_status_changes.version
         LIMIT p_most + 1) AS found;
      IF cardinality(indexes) > p_most THEN
        indexes := NULL;
      END IF;
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;
