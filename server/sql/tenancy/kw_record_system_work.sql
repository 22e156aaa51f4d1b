-- Records the actor of work across tenants, and the reason, in the log of the default tenant. Lets the rest of the
-- transaction see every tenant.
-- caller: transaction
CREATE OR REPLACE FUNCTION kw_record_system_work(p_entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter('org_default');
  PERFORM kw_record('org_default', p_entries, '[]');
  PERFORM set_config('role', 'keywright_system', true);
END
$$;
