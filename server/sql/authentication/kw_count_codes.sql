-- Counts a tenant's challenges that expire after a given time, and the wrong codes entered for them. A guess also
-- counts if it was not compared because of too many attempts for its recipient.
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
