-- The service works as one of three roles, never as the role that owns the tables:
--   keywright_tenant    sees the rows of the tenant named in keywright.tenant_id, and nothing else
--   keywright_resolver  sees which tenants there are and which domains they have, before a tenant is known
--   keywright_system    sees every tenant; taken only for work across tenants, which is logged
DO $$
DECLARE
  name text;
  -- Who has taken none of the roles is to see nothing, so they are not inherited. PostgreSQL 15 can't say that.
  how text := CASE WHEN current_setting('server_version_num')::integer >= 160000
    THEN ' WITH INHERIT FALSE' ELSE '' END;
BEGIN
  FOREACH name IN ARRAY ARRAY['keywright_tenant', 'keywright_resolver', 'keywright_system'] LOOP
    -- Roles belong to the whole server: another database of it may have made them already.
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
    -- A superuser may take any role. Whoever made a role may give it to themselves, and since PostgreSQL 16
    -- has to; where an administrator made the roles, that administrator gave them too.
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

-- Puts a table under tenant isolation. Every table that has a tenant_id goes through here.
CREATE FUNCTION kw_isolate(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  -- FORCE: the owner of the table is held to the policies too.
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

-- One row: which master key wraps the tenants' data keys.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  master_key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE ON installation TO keywright_system;

CREATE TABLE tenants (
  tenant_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  config jsonb NOT NULL DEFAULT '{}',
  branding jsonb NOT NULL DEFAULT '{}',
  messaging jsonb NOT NULL DEFAULT '{}',
  issuer text,
  is_active boolean NOT NULL DEFAULT true,
  -- Set when the deletion began: the tenant is gone for everyone, its rows go in batches.
  deleted_at timestamptz,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX tenants_by_age ON tenants (created_at, tenant_id);
CREATE INDEX tenants_being_deleted ON tenants (tenant_id) WHERE deleted_at IS NOT NULL;
SELECT kw_isolate('tenants');
-- What a tenant may change of itself; the rest is a system administrator's.
REVOKE INSERT, UPDATE, DELETE ON tenants FROM keywright_tenant;
GRANT UPDATE (name, config, branding, messaging) ON tenants TO keywright_tenant;

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

CREATE TABLE signing_keys (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  algorithm text NOT NULL,
  public_key text NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Published from its creation on, so that every verifier has it before the first token that it signs.
  signs_from timestamptz NOT NULL,
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT kw_isolate('signing_keys');

CREATE TABLE workspaces (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX workspaces_by_age ON workspaces (tenant_id, created_at, id);
SELECT kw_isolate('workspaces');

CREATE TABLE roles (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  name text COLLATE "C" NOT NULL,
  description text NOT NULL,
  scopes text[] NOT NULL,
  is_builtin boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);
SELECT kw_isolate('roles');

CREATE TABLE users (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX users_by_age ON users (tenant_id, created_at, id);
SELECT kw_isolate('users');

CREATE TABLE user_identifiers (
  tenant_id text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('email', 'phone')),
  verified boolean NOT NULL DEFAULT false,
  -- The order the user's identifiers are shown in; 0 is the one a list is sorted by.
  position smallint NOT NULL,
  PRIMARY KEY (tenant_id, identifier),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX user_identifiers_by_user ON user_identifiers (tenant_id, user_id, position);
CREATE INDEX user_identifiers_first ON user_identifiers (tenant_id, identifier, user_id) WHERE position = 0;
SELECT kw_isolate('user_identifiers');

CREATE TABLE user_credentials (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('password', 'oauth')),
  provider text NOT NULL,
  secret_hash text,
  external_id text,
  PRIMARY KEY (tenant_id, user_id, type, provider),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  CHECK ((type = 'password') = (secret_hash IS NOT NULL)),
  CHECK ((type = 'oauth') = (external_id IS NOT NULL))
);
SELECT kw_isolate('user_credentials');

CREATE TABLE user_roles (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, user_id, role),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, role) REFERENCES roles
);
CREATE INDEX user_roles_by_role ON user_roles (tenant_id, role, user_id);
SELECT kw_isolate('user_roles');

CREATE TABLE workspace_members (
  tenant_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The first one is where a login lands that names no workspace.
  position smallint NOT NULL,
  PRIMARY KEY (tenant_id, workspace_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces
);
CREATE INDEX workspace_members_by_user ON workspace_members (tenant_id, user_id, position);
SELECT kw_isolate('workspace_members');

-- One row is one login and the whole family of its refresh tokens: see the ADR on rotation.
CREATE TABLE sessions (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  user_agent text,
  ip_address text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz NOT NULL,
  absolute_expires_at timestamptz NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  end_reason text,
  refresh_hash bytea NOT NULL,
  refresh_kid text NOT NULL,
  refresh_issued_at timestamptz NOT NULL,
  previous_refresh_hash bytea,
  generation integer NOT NULL DEFAULT 0,
  -- Goes up when the user's permissions change: access tokens of before are refused.
  access_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces
)
-- Room for a new version of the row on its own page: no index changes when a session is refreshed.
WITH (fillfactor = 70);
CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id, created_at, id);
CREATE INDEX sessions_by_age ON sessions (tenant_id, created_at, id);
CREATE INDEX sessions_by_end ON sessions (absolute_expires_at);
SELECT kw_isolate('sessions');

CREATE TABLE login_attempts (
  tenant_id text COLLATE "C" NOT NULL,
  -- SHA-256 of an address, an identifier or a user id.
  subject bytea NOT NULL,
  window_started_at timestamptz NOT NULL,
  window_ends_at timestamptz NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (tenant_id, subject)
) WITH (fillfactor = 70);
CREATE INDEX login_attempts_by_end ON login_attempts (window_ends_at);
SELECT kw_isolate('login_attempts');

CREATE TABLE idempotency_keys (
  tenant_id text COLLATE "C" NOT NULL,
  caller text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  response jsonb,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, caller, route, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
SELECT kw_isolate('idempotency_keys');

-- A row of a tenant that can't be, since its id has no org_. Whoever sees it without being keywright_system is not isolated:
-- the service looks at start, and refuses to serve.
CREATE TABLE isolation_canary (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
INSERT INTO isolation_canary VALUES ('canary', 'canary');
SELECT kw_isolate('isolation_canary');

-- Nodes keep the settings and keys of tenants in memory. Whatever changes them says so, with the commit.
CREATE FUNCTION kw_announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keywright_changes', coalesce(NEW.tenant_id, OLD.tenant_id));
  RETURN NULL;
END
$$;
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON tenants
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON tenant_domains
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON signing_keys
  FOR EACH ROW EXECUTE FUNCTION kw_announce_change();
