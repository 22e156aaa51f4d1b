-- Writes a whole tenant in a transaction of its own, and first that somebody worked across tenants. NULL: it was created.
-- Otherwise another master key wraps data keys now: its name is answered, and nothing was written. What must leave nothing
-- behind is an error of the class KW: slug_taken or domain_taken.
-- caller: writing
-- null: answer
CREATE OR REPLACE FUNCTION kw_create_tenant_alone(
  p_work jsonb, p_tenant text, p_name text, p_settings jsonb, p_wrapped_key bytea, p_master_key_id text,
  p_kid text, p_public_key text, p_private_key bytea, p_roles jsonb, p_domains text[], p_now timestamptz,
  p_entries jsonb
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_master_key_id text;
  v_outcome text;
BEGIN
  PERFORM set_config('role', 'keywright_system', true);
  -- Whoever changes it waits for this commit, and so knows of every data key that was wrapped before.
  SELECT i.master_key_id INTO v_master_key_id FROM installation i FOR SHARE;
  IF v_master_key_id IS DISTINCT FROM p_master_key_id THEN
    RETURN coalesce(v_master_key_id, '');
  END IF;
  PERFORM kw_record_system_work(p_work);
  v_outcome := kw_create_tenant(
    p_tenant, p_name, p_settings, p_wrapped_key, p_master_key_id, p_kid, p_public_key, p_private_key, p_roles,
    p_domains, p_now, p_entries);
  IF v_outcome <> 'created' THEN
    RAISE EXCEPTION '%', v_outcome USING ERRCODE = 'KW001';
  END IF;
  RETURN NULL;
END
$$;
