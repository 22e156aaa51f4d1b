-- Restricts the rest of the transaction to one tenant, and returns it. A single expression: PL/pgSQL evaluates
-- `v_tenant := kw_enter(p_tenant)` without a call and without a statement.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_enter(p_tenant text) RETURNS text LANGUAGE sql AS $$
  SELECT CASE WHEN set_config('role', 'keywright_tenant', true) IS NOT NULL
              THEN set_config('keywright.tenant_id', p_tenant, true) END
$$;
