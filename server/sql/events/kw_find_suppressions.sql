-- Returns why no messages are sent to addresses. place: the index of the address in the request, from 1; an address
-- without suppression is missing.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_find_suppressions(p_tenants text[], p_ids text[])
RETURNS TABLE (place integer, reason text) LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    RETURN QUERY SELECT i, s.reason FROM kw_find_suppression(p_tenants[i], p_ids[i]) AS s;
  END LOOP;
END
$$;
