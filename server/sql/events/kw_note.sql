-- Writes entries about something that did not happen and so has no transaction, such as a failed login.
-- caller: batched writing
CREATE OR REPLACE FUNCTION kw_note(p_tenant text, p_entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := kw_enter(p_tenant);
BEGIN
  -- The rows of a deleted tenant are being removed, so no new rows are added.
  PERFORM FROM tenants WHERE tenant_id = v_tenant AND deleted_at IS NULL FOR KEY SHARE;
  IF FOUND THEN
    PERFORM kw_record(v_tenant, p_entries, '[]');
  END IF;
END
$$;
