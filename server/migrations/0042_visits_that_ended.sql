-- The token of a visiting system administrator hangs on the tenant that it is for, too, which is a grant of its own: like
-- the tenant's own tokens it stays dead when the tenant was inactive and is active again.
ALTER TABLE tenants ADD COLUMN access_version integer NOT NULL DEFAULT 0;

CREATE FUNCTION kw_count_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.access_version := OLD.access_version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER count_reopening BEFORE UPDATE OF is_active ON tenants
  FOR EACH ROW WHEN (NEW.is_active AND NOT OLD.is_active) EXECUTE FUNCTION kw_count_reopening();

CREATE FUNCTION kw_revoke_visits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(NEW.tenant_id, ARRAY[NEW.tenant_id], '{}');
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active ON tenants
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.is_active AND NOT OLD.is_active)
  EXECUTE FUNCTION kw_revoke_visits();

-- The same as before, and of a tenant as a grant whether it has this version.
CREATE OR REPLACE FUNCTION kw_live_grants(
  p_tenants text[], p_grants text[], p_versions integer[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off AS $$
DECLARE
  -- Assigned, not performed: that takes no statement.
  v_role text := set_config('role', 'keywright_tenant', true);
  v_tenant text;
  v_alive boolean;
  v_answer text;
BEGIN
  IF p_tenants[1] = ALL (p_tenants) THEN
    v_tenant := set_config('keywright.tenant_id', p_tenants[1], true);
    SELECT string_agg(CASE
             WHEN t.tenant_id IS NULL THEN '0'
             WHEN s.is_active AND s.access_version = asked.version THEN '1'
             WHEN starts_with(asked.id, 'session:') THEN '0'
             ELSE 'o' END, '' ORDER BY asked.n)
      INTO v_answer
      FROM unnest(p_grants, p_versions) WITH ORDINALITY AS asked (id, version, n)
      LEFT JOIN LATERAL (
        SELECT is_active, access_version FROM sessions
         WHERE sessions.tenant_id = v_tenant AND sessions.id = asked.id LIMIT 1
      ) AS s ON true
     CROSS JOIN (SELECT (
        SELECT tenant_id FROM tenants
         WHERE tenants.tenant_id = v_tenant AND is_active AND deleted_at IS NULL) AS tenant_id) AS t;
  ELSE
    SELECT string_agg(CASE
             WHEN t.tenant_id IS NULL THEN '0'
             WHEN s.is_active AND s.access_version = asked.version THEN '1'
             WHEN starts_with(asked.id, 'session:') THEN '0'
             ELSE 'o' END, '' ORDER BY asked.n)
      INTO v_answer
      FROM unnest(p_tenants, p_grants, p_versions) WITH ORDINALITY AS asked (tenant_id, id, version, n)
     CROSS JOIN LATERAL (SELECT set_config('keywright.tenant_id', asked.tenant_id, true) AS tenant_id) AS entered
      LEFT JOIN LATERAL (
        SELECT tenants.tenant_id FROM tenants
         WHERE tenants.tenant_id = entered.tenant_id AND is_active AND deleted_at IS NULL LIMIT 1
      ) AS t ON true
      LEFT JOIN LATERAL (
        SELECT is_active, access_version FROM sessions
         WHERE sessions.tenant_id = entered.tenant_id AND sessions.id = asked.id LIMIT 1
      ) AS s ON true;
  END IF;
  IF strpos(v_answer, 'o') > 0 THEN
    FOR i IN 1 .. cardinality(p_grants) LOOP
      CONTINUE WHEN substr(v_answer, i, 1) <> 'o';
      v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
      v_alive := false;
      IF starts_with(p_grants[i], 'key_') THEN
        SELECT k.revoked_at IS NULL AND k.expires_at > p_now
           AND a.is_active AND (p_versions[i] < 0 OR a.access_version = p_versions[i]) INTO v_alive
          FROM api_keys k
          JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
         WHERE k.tenant_id = v_tenant AND k.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'dlg_') THEN
        SELECT d.revoked_at IS NULL AND d.expires_at > p_now AND d.access_version = p_versions[i]
           AND a.is_active AND u.is_active INTO v_alive
          FROM delegations d
          JOIN agents a ON a.tenant_id = d.tenant_id AND a.id = d.agent_id
          JOIN users u ON u.tenant_id = d.tenant_id AND u.id = d.user_id
         WHERE d.tenant_id = v_tenant AND d.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'service:') THEN
        SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive
          FROM agents a WHERE a.tenant_id = v_tenant AND a.id = p_grants[i];
      ELSIF p_grants[i] = v_tenant THEN
        SELECT t.access_version = p_versions[i] INTO v_alive FROM tenants t WHERE t.tenant_id = v_tenant;
      END IF;
      v_answer := overlay(v_answer PLACING CASE WHEN v_alive THEN '1' ELSE '0' END FROM i);
    END LOOP;
  END IF;
  RETURN coalesce(v_answer, '');
END
$$;

-- The same as before. A tenant among the grants is locked, so that whoever makes it active again finds the bit.
CREATE OR REPLACE FUNCTION kw_hang_bit(
  p_tenant text, p_grants text[], p_versions integer[], p_list_tenant text, p_idx bigint,
  p_expires_at timestamptz, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  IF p_tenant = ANY (p_grants) THEN
    PERFORM FROM tenants t WHERE t.tenant_id = p_tenant FOR SHARE;
  END IF;
  PERFORM FROM users u WHERE u.tenant_id = p_tenant AND u.id IN (
      SELECT d.user_id FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants))
    ORDER BY u.id FOR SHARE;
  PERFORM FROM agents a WHERE a.tenant_id = p_tenant AND a.id IN (
      SELECT d.agent_id FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants)
      UNION
      SELECT k.agent_id FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = ANY (p_grants))
    ORDER BY a.id FOR SHARE;
  PERFORM FROM sessions s WHERE s.tenant_id = p_tenant AND s.id = ANY (p_grants) ORDER BY s.id FOR SHARE;
  PERFORM FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = ANY (p_grants) ORDER BY k.id FOR SHARE;
  PERFORM FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants) ORDER BY d.id FOR SHARE;
  IF kw_live_grants(array_fill(p_tenant, ARRAY[cardinality(p_grants)]), p_grants, p_versions, p_now)
       <> repeat('1', cardinality(p_grants)) THEN
    RETURN false;
  END IF;
  INSERT INTO status_dependents (tenant_id, grant_id, list_tenant_id, idx, expires_at)
  SELECT p_tenant, id, p_list_tenant, p_idx, p_expires_at FROM unnest(p_grants) AS id
  ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;
