-- Returns why no messages are sent to an address; no row if they are.
-- caller: none
CREATE OR REPLACE FUNCTION kw_find_suppression(p_tenant text, p_id text)
RETURNS TABLE (reason text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY SELECT s.reason FROM suppressions s WHERE s.tenant_id = p_tenant AND s.id = p_id;
END
$$;
