-- Restricts the rest of the transaction to one tenant.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_enter(p_tenant text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('keywright.tenant_id', p_tenant, true);
  PERFORM set_config('role', 'keywright_tenant', true);
END
$$;
