-- Users, their workspaces and their roles.

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
  -- Written by administrators: claims of access tokens are mapped from it, unless the tenant allows user_metadata.
  metadata jsonb NOT NULL DEFAULT '{}',
  -- Written by the user.
  user_metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL,
  -- Increases with each change of the user's credentials or of is_active: decisions made before open no session.
  auth_version integer NOT NULL DEFAULT 0,
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
  -- The display order of the user's identifiers; 0 is the sort key of lists.
  position smallint NOT NULL,
  PRIMARY KEY (tenant_id, identifier),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX user_identifiers_by_user ON user_identifiers (tenant_id, user_id, position);
CREATE INDEX user_identifiers_first ON user_identifiers (tenant_id, identifier, user_id) WHERE position = 0;
SELECT kw_isolate('user_identifiers');

-- Finds parts of an e-mail address: the ADR on the list of users has the plans and measurements. Both extensions come
-- with PostgreSQL and are trusted, so CREATE on the database suffices. Without them, a search scans more rows.
DO $$
BEGIN
  IF (SELECT count(*) FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')) = 2 THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX user_identifiers_by_part ON user_identifiers
      USING gin (tenant_id, identifier gin_trgm_ops) WHERE type = 'email';
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'This database user may create no extensions: searches in large tenants are slow.'
    USING HINT = 'As its owner: GRANT CREATE ON DATABASE … TO …, before the migration.';
END
$$;

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
  -- The first one is the default of a login that names no workspace.
  position smallint NOT NULL,
  PRIMARY KEY (tenant_id, workspace_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces
);
CREATE INDEX workspace_members_by_user ON workspace_members (tenant_id, user_id, position);
SELECT kw_isolate('workspace_members');
