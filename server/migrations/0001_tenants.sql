-- Tenants, and what isolates them. The service works as one of three roles, never as the role that owns the tables:
--   keywright_tenant    sees the rows of the tenant named in keywright.tenant_id, and nothing else
--   keywright_resolver  sees which tenants there are and which domains they have, before a tenant is known
--   keywright_system    sees every tenant; taken only for work across tenants, which is logged
DO $$
DECLARE
  name text;
  -- Sessions without one of the roles must see nothing, so the roles are not inherited. PostgreSQL 15 has no syntax for
  -- that.
  how text := CASE WHEN current_setting('server_version_num')::integer >= 160000
    THEN ' WITH INHERIT FALSE' ELSE '' END;
BEGIN
  FOREACH name IN ARRAY ARRAY['keywright_tenant', 'keywright_resolver', 'keywright_system'] LOOP
    -- Roles belong to the whole server: another database of it may have created them already.
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
    -- A superuser may use any role. The creator of a role may grant it to themselves, which PostgreSQL 16 and newer
    -- require; if an administrator created the roles, that administrator also granted them.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
      BEGIN
        EXECUTE format('GRANT %I TO CURRENT_USER', name) || how;
      EXCEPTION WHEN insufficient_privilege THEN
        IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
          RAISE EXCEPTION 'The database user % is not a member of the role %.', current_user, name
            USING HINT = format('As a superuser: GRANT %I TO %I', name, current_user);
        END IF;
      END;
    END IF;
  END LOOP;
END
$$;

GRANT USAGE ON SCHEMA public TO keywright_tenant, keywright_resolver, keywright_system;

-- Puts a table under tenant isolation. Each table with a tenant_id calls it. It is here, not among the functions in
-- server/sql, because a function that a migration calls must not change.
CREATE FUNCTION kw_isolate(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  -- FORCE: the policies bind the owner of the table too.
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant_only ON %s TO keywright_tenant
       USING (tenant_id = current_setting(''keywright.tenant_id'', true))
       WITH CHECK (tenant_id = current_setting(''keywright.tenant_id'', true))', target);
  EXECUTE format(
    'CREATE POLICY every_tenant ON %s TO keywright_system USING (true) WITH CHECK (true)', target);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO keywright_tenant, keywright_system', target);
END
$$;

CREATE TABLE tenants (
  tenant_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  -- type: Partial<TenantConfig>
  config jsonb NOT NULL DEFAULT '{}',
  -- type: TenantBranding
  branding jsonb NOT NULL DEFAULT '{}',
  -- type: TenantMessaging
  messaging jsonb NOT NULL DEFAULT '{}',
  issuer text,
  is_active boolean NOT NULL DEFAULT true,
  -- Set when the deletion begins: the tenant no longer exists for anyone, and its rows are deleted in batches.
  deleted_at timestamptz,
  created_at timestamptz(3) NOT NULL,
  -- Increases when an inactive tenant is made active: earlier impersonation tokens are rejected.
  access_version integer NOT NULL DEFAULT 0,
  -- {key, total, schemes: {<scheme>: users}, counted_at} while passwords of the tenant have foreign hashes; otherwise
  -- NULL. Unknown identifiers are answered as slowly as that share of the known ones; the key decides which.
  -- type: { readonly key: string; readonly total: number; readonly schemes: Readonly<Record<string, number>>; readonly counted_at: string }
  foreign_hashes jsonb,
  -- The active ones, as login pages show them: [{id, type, name}], in the order of their creation; NULL: none. Nodes load
  -- them with the tenant.
  -- type: (Omit<PublicProvider, 'tenant_id'> & { readonly captures?: readonly string[]; readonly trusts_mfa?: boolean })[]
  identity_providers jsonb
)
-- New rows are inserted wherever there is free space, and each clears the visibility map bit of its page, which
-- index-only scans need. Vacuuming after some hundred of them, not after a fifth of the table, takes milliseconds.
WITH (
  autovacuum_vacuum_insert_threshold = 100, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0
);
-- The list of tenants, and their number, by index-only scans.
CREATE INDEX tenants_by_age ON tenants (created_at, tenant_id) WHERE deleted_at IS NULL;
CREATE INDEX tenants_being_deleted ON tenants (tenant_id) WHERE deleted_at IS NOT NULL;
SELECT kw_isolate('tenants');
-- Columns that a tenant may change itself; the rest is a system administrator's.
REVOKE INSERT, UPDATE, DELETE ON tenants FROM keywright_tenant;
GRANT UPDATE (name, config, branding, messaging, foreign_hashes, identity_providers) ON tenants TO keywright_tenant;

CREATE TABLE tenant_domains (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  domain text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, domain),
  -- A domain belongs to one tenant in the whole installation.
  UNIQUE (domain)
);
SELECT kw_isolate('tenant_domains');
REVOKE INSERT, UPDATE, DELETE ON tenant_domains FROM keywright_tenant;

GRANT SELECT ON tenants, tenant_domains TO keywright_resolver;
CREATE POLICY resolving ON tenants FOR SELECT TO keywright_resolver USING (true);
CREATE POLICY resolving ON tenant_domains FOR SELECT TO keywright_resolver USING (true);

CREATE TABLE tenant_data_keys (
  tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenants,
  wrapped_key bytea NOT NULL,
  master_key_id text NOT NULL,
  created_at timestamptz NOT NULL
);
SELECT kw_isolate('tenant_data_keys');

-- The IDs of deleted tenants, which are never reused: remaining references in tokens, backups or configurations of
-- verifiers must not lead to a different tenant.
CREATE TABLE former_tenants (
  id text COLLATE "C" PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON former_tenants TO keywright_system;

-- A row of a tenant that cannot exist, since its ID has no org_. If a role other than keywright_system sees it, isolation
-- is broken: the service checks this at startup, and refuses to serve.
CREATE TABLE isolation_check (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
INSERT INTO isolation_check VALUES ('isolation-check', 'isolation-check');
SELECT kw_isolate('isolation_check');
