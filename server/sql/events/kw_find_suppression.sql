-- Returns why no messages are sent to an address; null if they are.
-- caller: batched reading
-- null: answer
CREATE OR REPLACE FUNCTION kw_find_suppression(p_tenant text, p_id text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  RETURN (SELECT s.reason FROM suppressions s WHERE s.tenant_id = v_tenant AND s.id = p_id);
END
$$;
