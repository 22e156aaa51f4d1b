-- Signing keys, the sessions that tokens are issued under, and which tokens are revoked.

CREATE TABLE signing_keys (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  algorithm text NOT NULL,
  -- Kept after the key's use: it distinguishes a reused refresh token from a forged one, for as long as a session of
  -- that time can live.
  public_key text NOT NULL,
  -- NULL once the key is retired.
  private_key bytea,
  created_at timestamptz NOT NULL,
  -- The key is published when it is created, so that every verifier has it before the first token that it signs.
  signs_from timestamptz NOT NULL,
  retired_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
SELECT kw_isolate('signing_keys');

-- One row is one login with the whole family of its refresh tokens: see the ADR on rotation.
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
  -- type: SessionEndReason
  end_reason text,
  -- The secret that continues it: a refresh token of a login, a cookie, or a refresh token of an OAuth client. A trigger
  -- checks which columns each kind has.
  -- type: SessionRecord['kind']
  kind text NOT NULL,
  client_id text COLLATE "C",
  -- login_id, if the session ends with it. No foreign key: if that row is gone, this session has ended.
  parent_id text COLLATE "C",
  -- The scopes that the user granted to the client.
  scopes text[],
  auth_time timestamptz NOT NULL,
  -- type: Acr
  acr text NOT NULL,
  amr text[] NOT NULL,
  -- Of the refresh token or the cookie.
  refresh_hash bytea NOT NULL,
  -- The key that signed the refresh token; NULL: a cookie, or an opaque token.
  refresh_kid text,
  refresh_issued_at timestamptz NOT NULL,
  previous_refresh_hash bytea,
  generation integer NOT NULL DEFAULT 0,
  -- Increases when the user's permissions change: previously issued access tokens are rejected.
  access_version integer NOT NULL DEFAULT 0,
  -- The bit of its tokens in the status list, and the access_version that it belongs to.
  status_idx bigint,
  status_version integer,
  -- SHA-256 of the code that opened a client's session: the code opens no other one.
  code_hash bytea,
  -- Claims that the client requested by name, for the userinfo endpoint.
  userinfo_claims text[],
  -- The browser session that a client's session was opened in. Without a parent_id, it outlives that (offline_access).
  login_id text COLLATE "C",
  -- When the session was ended, for end_reason.
  ended_at timestamptz(3),
  -- The identity provider through which the user signed in; NULL: through none.
  provider_id text COLLATE "C",
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces
)
-- Free space for HOT updates: a refresh changes no indexed column.
WITH (fillfactor = 70);
-- Each login and code writes into each index. The list of a tenant's sessions uses the primary key, because IDs sort by
-- time, and statements about a user at a client use the index of users.
CREATE INDEX sessions_by_user ON sessions (tenant_id, user_id, created_at, id);
CREATE INDEX sessions_by_end ON sessions (absolute_expires_at);
CREATE UNIQUE INDEX sessions_by_code ON sessions (tenant_id, code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX sessions_by_login ON sessions (tenant_id, login_id) WHERE login_id IS NOT NULL;
CREATE INDEX sessions_by_client ON sessions (tenant_id, client_id, created_at, id) WHERE client_id IS NOT NULL;
SELECT kw_isolate('sessions');

-- Which access tokens are revoked, for services that verify them offline (draft-ietf-oauth-status-list).
--
-- A token names a bit of its tenant's list. The bit belongs to the grant that the token was issued under: a session, an
-- API key or an agent, each with the bit of its present access_version; a token that depends on several grants has one of
-- its own. Triggers record which bits are set, so that no path that ends a grant can forget it. They are deferred: the
-- number of the change is drawn at the very end of its transaction, and transactions with smaller numbers have committed by
-- then. So changes are seen in the order of their numbers, and none appears behind a reader: see the ADR on status lists.

-- Which bits were never assigned. The first one, 0, is set from the beginning.
CREATE TABLE status_ranges (
  tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenants,
  next_idx bigint NOT NULL
);
SELECT kw_isolate('status_ranges');

-- The number of the last change. Numbers are milliseconds since the epoch, or one more than the last: they keep
-- increasing if a tenant is deleted and created again under its old name.
CREATE TABLE status_positions (
  tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenants,
  version bigint NOT NULL
);
SELECT kw_isolate('status_positions');

-- Bits that are set, and by which change. They are deleted when every token with that bit has expired.
CREATE TABLE status_revocations (
  tenant_id text COLLATE "C" NOT NULL,
  idx bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (tenant_id, idx)
);
CREATE INDEX status_revocations_in_order ON status_revocations (tenant_id, version);
CREATE INDEX status_revocations_by_age ON status_revocations (version);
SELECT kw_isolate('status_revocations');

-- Bits of single tokens, and the grants that each depends on. list_tenant_id: the tenant in whose list the bit is,
-- which differs for impersonation.
CREATE TABLE status_dependents (
  tenant_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  list_tenant_id text COLLATE "C" NOT NULL,
  idx bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, grant_id, list_tenant_id, idx)
);
CREATE INDEX status_dependents_by_end ON status_dependents (expires_at);
SELECT kw_isolate('status_dependents');

-- Sessions in which system administrators act inside other tenants in the console.
CREATE TABLE impersonations (
  -- The tenant of the administrator.
  tenant_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  -- The tenant that they act in. Its ID is never reused.
  into_tenant text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  -- A change of the permissions of the administrator ends it, and a reactivation of the tenant.
  session_version integer NOT NULL,
  tenant_version integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, session_id, into_tenant),
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
CREATE INDEX impersonations_by_expiry ON impersonations (expires_at);
SELECT kw_isolate('impersonations');
