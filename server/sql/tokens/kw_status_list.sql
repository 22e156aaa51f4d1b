-- A part of a tenant's list: its set bits, counted from its first, and the version. Empty for a part without assigned
-- bits.
-- caller: reading
CREATE OR REPLACE FUNCTION kw_status_list(p_tenant text, p_first bigint, p_end bigint)
RETURNS TABLE (version bigint, indexes integer[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  IF p_first > 0 AND NOT EXISTS (
    SELECT FROM status_ranges r WHERE r.tenant_id = p_tenant AND r.next_idx > p_first) THEN
    RETURN;
  END IF;
  version := kw_status_version(p_tenant);
  SELECT coalesce(array_agg((r.idx - p_first)::integer), '{}') INTO indexes
    FROM status_revocations r
   WHERE r.tenant_id = p_tenant AND r.idx >= p_first AND r.idx < p_end
     AND r.version <= kw_status_list.version;
  RETURN NEXT;
END
$$;
