-- Adds to the activity counters of many tenants, each entered separately. p_counts: by counter, JSON as text. Lock
-- order: the arrays are sorted by tenant, span and time, so that concurrent writes of several nodes do not deadlock.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_count_activity(
  p_tenants text[], p_spans text[], p_began timestamptz[], p_expiries timestamptz[], p_counts text[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    FOR v_turn IN 1 .. 2 LOOP
      UPDATE activity SET counts = (
        SELECT jsonb_object_agg(name, total) FROM (
          SELECT name, sum(n::bigint) AS total FROM (
            SELECT * FROM jsonb_each_text(counts) UNION ALL SELECT * FROM jsonb_each_text(p_counts[i]::jsonb)
          ) AS added (name, n) GROUP BY name
        ) AS sums)
       WHERE tenant_id = p_tenants[i] AND span = p_spans[i] AND began_at = p_began[i];
      EXIT WHEN FOUND OR v_turn = 2;
      -- The rows of a deleted tenant are being removed, so no new rows are added.
      PERFORM FROM tenants WHERE tenant_id = p_tenants[i] AND deleted_at IS NULL FOR KEY SHARE;
      EXIT WHEN NOT FOUND;
      INSERT INTO activity (tenant_id, span, began_at, expires_at, counts)
      VALUES (p_tenants[i], p_spans[i], p_began[i], p_expiries[i], '{}') ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
END
$$;
