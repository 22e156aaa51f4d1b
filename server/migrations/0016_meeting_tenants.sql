-- What a tenant costs when it is made, and when a node meets it: one round trip each.

-- Writes a whole tenant in a transaction of its own, and first that somebody worked across tenants. NULL: it was created.
-- Otherwise another master key wraps data keys now: its name is answered, and nothing was written. What must leave nothing
-- behind is an error of the class KW: slug_taken or domain_taken.
CREATE FUNCTION kw_create_tenant_alone(
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

-- The signing keys of a tenant, the one that signs last first, each with the data key that it is sealed under.
DROP FUNCTION kw_signing_keys;
CREATE FUNCTION kw_signing_keys(p_tenant text) RETURNS TABLE (
  tenant_id text, id text, public_key text, private_key bytea, signs_from timestamptz, retired_at timestamptz,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.tenant_id, k.id, k.public_key, k.private_key, k.signs_from, k.retired_at, d.wrapped_key, d.master_key_id
    FROM signing_keys k LEFT JOIN tenant_data_keys d ON d.tenant_id = k.tenant_id
   WHERE k.tenant_id = p_tenant ORDER BY k.signs_from DESC, k.id DESC;
END
$$;

-- What a node has to know of a tenant before it answers its first request: the tenant with this id, or the one that this
-- domain belongs to, with its keys as above. One row for each key; one where there is none.
CREATE FUNCTION kw_meet_tenant(p_id text, p_domain text) RETURNS TABLE (
  tenant_id text, name text, config jsonb, issuer text, is_active boolean,
  id text, public_key text, private_key bytea, signs_from timestamptz, retired_at timestamptz,
  wrapped_key bytea, master_key_id text
) LANGUAGE plpgsql AS $$
DECLARE
  v_tenant text := p_id;
BEGIN
  IF v_tenant IS NULL THEN
    PERFORM set_config('role', 'keywright_resolver', true);
    SELECT d.tenant_id INTO v_tenant FROM tenant_domains d WHERE d.domain = p_domain;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  PERFORM kw_enter(v_tenant);
  RETURN QUERY
  SELECT t.tenant_id, t.name, t.config, t.issuer, t.is_active,
         k.id, k.public_key, k.private_key, k.signs_from, k.retired_at, d.wrapped_key, d.master_key_id
    FROM tenants t
    LEFT JOIN signing_keys k ON k.tenant_id = t.tenant_id
    LEFT JOIN tenant_data_keys d ON d.tenant_id = t.tenant_id
   WHERE t.tenant_id = v_tenant AND t.deleted_at IS NULL
   ORDER BY k.signs_from DESC, k.id DESC;
END
$$;
