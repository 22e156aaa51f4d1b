-- Users, their workspaces, roles and invitations.

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
  -- type: UserRecord['metadata']
  metadata jsonb NOT NULL DEFAULT '{}',
  -- Written by the user.
  -- type: UserRecord['user_metadata']
  user_metadata jsonb NOT NULL DEFAULT '{}',
  -- Written by administrators, by users themselves, and at the first login with an identity provider.
  name text,
  -- The name for sorting and searching: without accents, in lowercase. Without a name, a text that sorts after all names.
  name_key text COLLATE "C" NOT NULL DEFAULT U&'\+10FFFF',
  -- An https URL.
  picture text,
  created_at timestamptz(3) NOT NULL,
  -- Increases with each change of the user's credentials or of is_active: decisions made before open no session.
  auth_version integer NOT NULL DEFAULT 0,
  -- Whether one of the user's authenticators is confirmed. Set with each change of their factors, so that a login reads
  -- only the row of the user.
  has_second_factor boolean NOT NULL DEFAULT false,
  -- The last change of what applications know of the user; NULL: none since the user was created.
  updated_at timestamptz(3),
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX users_by_age ON users (tenant_id, created_at, id);
CREATE INDEX users_by_name ON users (tenant_id, name_key, id);
-- Of a million users, a few inactive ones are found in 6 ms instead of 140. It has no rows of most users.
CREATE INDEX users_inactive ON users (tenant_id, created_at, id) WHERE NOT is_active;
SELECT kw_isolate('users');

CREATE TABLE user_identifiers (
  tenant_id text COLLATE "C" NOT NULL,
  identifier text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('email', 'phone')),
  verified boolean NOT NULL DEFAULT false,
  -- The display order of the user's identifiers; 0 is the sort key of lists.
  position smallint NOT NULL,
  -- Consecutive wrong codes that were sent to it as a second factor.
  failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, identifier),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX user_identifiers_by_user ON user_identifiers (tenant_id, user_id, position);
CREATE INDEX user_identifiers_first ON user_identifiers (tenant_id, identifier, user_id) WHERE position = 0;
-- It has no rows of most users.
CREATE INDEX user_identifiers_unverified ON user_identifiers (tenant_id, user_id) WHERE NOT verified;
SELECT kw_isolate('user_identifiers');

-- All single characters of a text and all pairs of neighbors, for an index.
CREATE FUNCTION kw_grams(p_text text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(pair.first) || array_agg(pair.first || pair.second) FILTER (WHERE pair.second IS NOT NULL)
    FROM unnest(string_to_array(p_text, NULL), string_to_array(substr(p_text, 2), NULL)) AS pair (first, second)
$$;

-- Finds parts of names and identifiers: the ADR on the list of users has the plans and measurements. Both extensions come
-- with PostgreSQL and are trusted, so CREATE on the database suffices. Without them, a search scans more rows.
DO $$
BEGIN
  IF (SELECT count(*) FROM pg_available_extensions WHERE name IN ('pg_trgm', 'btree_gin')) = 2 THEN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
    CREATE INDEX user_identifiers_by_part ON user_identifiers
      USING gin (tenant_id, identifier gin_trgm_ops);
    CREATE INDEX users_by_name_part ON users USING gin (tenant_id, name_key gin_trgm_ops) WHERE name IS NOT NULL;
    -- For parts without three ASCII letters or digits in a row.
    CREATE INDEX user_identifiers_by_gram ON user_identifiers USING gin (tenant_id, kw_grams(identifier));
    CREATE INDEX users_by_name_gram ON users USING gin (tenant_id, kw_grams(name_key)) WHERE name IS NOT NULL;
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

-- When users last logged in: each user has a row, so that one index sorts all of them. A table of its own: a login locks
-- the row of its user, and must not wait for another login of the same user.
CREATE TABLE user_logins (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- To the minute; -infinity: never.
  last_login_at timestamptz(3) NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
-- Of a million users, the few with an old login are found in 6 ms instead of 4 s.
CREATE INDEX user_logins_by_time ON user_logins (tenant_id, last_login_at, user_id);
SELECT kw_isolate('user_logins');

-- Undoing changes of identifiers: one row for each change and address that is notified of it. Its token is derived from
-- its ID, and stored nowhere. Using one deletes all of the user.
CREATE TABLE identifier_undos (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- Of the user before the change: a larger one is a later change.
  auth_version integer NOT NULL,
  -- Normalized; verified before the change.
  destination text COLLATE "C" NOT NULL,
  -- Before the change, in their order: [{type, identifier, verified}].
  -- type: IdentifierRecord[]
  identifiers jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- What proved the account before the change: undoing the change requires one of these.
  -- Of the password; NULL: there was none.
  secret_hash text,
  -- IDs of the confirmed ones.
  -- type: FactorId[]
  factors text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX identifier_undos_by_user ON identifier_undos (tenant_id, user_id, auth_version);
CREATE INDEX identifier_undos_by_end ON identifier_undos (expires_at);
SELECT kw_isolate('identifier_undos');

-- What was granted is checked again when the invitation is accepted, against the inviter's permissions at that time. The
-- token is derived from the ID, and stored nowhere.
CREATE TABLE invitations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Normalized.
  identifier text COLLATE "C" NOT NULL,
  roles text[] NOT NULL,
  -- type: WorkspaceId[]
  workspaces text[] NOT NULL,
  -- A user or an agent of the tenant, neither of which need exist any more; or an impersonator.
  -- type: UserId | AgentId
  invited_by text COLLATE "C" NOT NULL,
  inviter_kind text COLLATE "C" NOT NULL,
  -- The agent that invited for the user.
  inviting_agent text COLLATE "C",
  locale text COLLATE "C",
  -- The name of the invited person, from the inviter. They can change it before they join.
  name text,
  -- The application that the person opens after joining; it need not exist any more.
  -- type: OAuthClientId
  client_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  -- type: UserId
  accepted_by text COLLATE "C",
  revoked_at timestamptz(3),
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 70);
CREATE INDEX invitations_by_age ON invitations (tenant_id, created_at, id);
CREATE INDEX invitations_by_identifier ON invitations (tenant_id, identifier, created_at, id);
CREATE INDEX invitations_by_end ON invitations (expires_at);
SELECT kw_isolate('invitations');

-- Pictures that were uploaded, without metadata. users.picture has the URL, which contains the digest.
CREATE TABLE user_pictures (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the image.
  digest bytea NOT NULL,
  content_type text NOT NULL,
  image bytea NOT NULL,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX user_pictures_by_digest ON user_pictures (tenant_id, digest);
SELECT kw_isolate('user_pictures');

-- Account data that users request, as jobs of the queue (server/src/tenancy/jobs/store.ts), which names the columns from
-- queue_key to reason.
CREATE TABLE account_exports (
  tenant_id text COLLATE "C" NOT NULL,
  -- The user: each has one, which the next replaces.
  id text COLLATE "C" NOT NULL,
  -- The session of the request.
  session_id text COLLATE "C" NOT NULL,
  queue_key text COLLATE "C" NOT NULL DEFAULT 'exports',
  status text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'done', 'failed', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  takes integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  held_until timestamptz(3),
  -- Until then it is made, and can be read.
  expires_at timestamptz(3) NOT NULL,
  reason text,
  created_at timestamptz(3) NOT NULL,
  -- JSON, compressed, sealed by the tenant's data key.
  content bytea,
  -- Of the JSON.
  bytes integer,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX account_exports_due ON account_exports (tenant_id, queue_key, due_at) WHERE status = 'pending';
SELECT kw_isolate('account_exports');
