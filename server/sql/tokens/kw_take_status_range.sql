-- Reserves unused bits. @returns the first of them.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_take_status_range(p_tenant text, p_count integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_next bigint;
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Does not wait for the disk: tokens with these bits are recorded later, so they reach the disk only if this does.
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO status_ranges AS r VALUES (p_tenant, 1 + p_count)
  ON CONFLICT (tenant_id) DO UPDATE SET next_idx = r.next_idx + p_count
  RETURNING next_idx INTO v_next;
  RETURN v_next - p_count;
END
$$;
