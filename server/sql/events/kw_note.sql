-- Writes entries of many tenants, each entered separately, about something that did not happen and so has no
-- transaction, such as a failed login. p_entries: one list for each tenant, as text.
-- caller: writing
CREATE OR REPLACE FUNCTION kw_note(p_tenants text[], p_entries text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    -- The rows of a deleted tenant are being removed, so no new rows are added.
    PERFORM FROM tenants WHERE tenant_id = p_tenants[i] AND deleted_at IS NULL FOR KEY SHARE;
    IF FOUND THEN
      PERFORM kw_record(p_tenants[i], p_entries[i]::jsonb, '[]');
    END IF;
  END LOOP;
END
$$;
