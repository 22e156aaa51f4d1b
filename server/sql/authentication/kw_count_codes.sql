-- The challenges of a tenant that expire after a moment, and the wrong codes that they were tried with. A guess that was
-- not compared, because its recipient was tried too often, counts.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_count_codes(p_tenant text, p_expire_after timestamptz)
RETURNS TABLE (sent integer, failed integer) LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT count(*)::integer,
         coalesce(sum(greatest(c.guesses - CASE WHEN c.used_at IS NULL THEN 0 ELSE 1 END, 0)), 0)::integer
    FROM challenges c
   WHERE c.tenant_id = p_tenant AND c.expires_at > p_expire_after;
END
$$;
