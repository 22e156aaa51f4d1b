-- Sets bits of a tenant's list. Must be called at the end of a transaction: until it has committed, no other change of
-- the tenant gets a number. Changes of a tenant that is being deleted are not recorded: its rows are being removed,
-- and no new rows are added.
-- caller: none
CREATE OR REPLACE FUNCTION kw_revoke_bits(p_tenant text, p_indexes bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_version bigint;
BEGIN
  PERFORM set_config('keywright.tenant_id', p_tenant, true);
  IF current_setting('keywright.status_tenant', true) = p_tenant THEN
    v_version := current_setting('keywright.status_version')::bigint;
  ELSE
    PERFORM FROM tenants WHERE tenant_id = p_tenant AND deleted_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    v_version := greatest(
      kw_status_version(p_tenant) + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    INSERT INTO status_positions AS p VALUES (p_tenant, v_version)
    ON CONFLICT (tenant_id) DO UPDATE SET version = greatest(p.version + 1, v_version)
    RETURNING version INTO v_version;
    PERFORM set_config('keywright.status_tenant', p_tenant, true);
    PERFORM set_config('keywright.status_version', v_version::text, true);
    -- Nodes are notified with the commit.
    PERFORM pg_notify('keywright_status', p_tenant);
  END IF;
  INSERT INTO status_revocations (tenant_id, idx, version)
  SELECT p_tenant, idx, v_version FROM unnest(p_indexes) AS idx
  ON CONFLICT DO NOTHING;
END
$$;
