-- Returns the stored logos of the entered tenant, by their hexadecimal digests.
-- caller: none
CREATE OR REPLACE FUNCTION kw_stored_logos(p_tenant text) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'digest', encode(digest, 'hex')) ORDER BY kind), '[]')
    FROM logos WHERE tenant_id = p_tenant AND status = 'stored'
$$;
