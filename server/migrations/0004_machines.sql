-- Agents, their API keys, and the grants by which they act for users.

CREATE TABLE agents (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- The user who answers for the agent. It outlives them.
  owner_id text COLLATE "C",
  -- Public keys that the agent signs its assertions with (RFC 7523), and outside issuers whose tokens stand for it.
  jwks jsonb,
  trusts jsonb NOT NULL DEFAULT '[]',
  -- Goes up when the agent may do less, or in other ways: its previously issued tokens are rejected.
  access_version integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  -- The bit of its tokens in the status list, and the access_version that it is of.
  status_idx bigint,
  status_version integer,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces
);
CREATE INDEX agents_by_age ON agents (tenant_id, created_at, id);
CREATE INDEX agents_by_owner ON agents (tenant_id, owner_id, id);
CREATE INDEX agents_by_workspace ON agents (tenant_id, workspace_id);
SELECT kw_isolate('agents');

CREATE TABLE api_keys (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- SHA-256 of the whole key; the first characters of the key, to know it by.
  secret_hash bytea NOT NULL,
  prefix text NOT NULL,
  -- NULL: all that the agent has; from anywhere.
  scopes text[],
  allowed_ips text[],
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text,
  -- The key that took its place when it was rotated.
  successor_id text COLLATE "C",
  -- What each use of the key asks about its agent, kept by triggers: one row is looked up, not two. The version
  -- goes up with every change of the agent's row.
  agent_is_active boolean NOT NULL DEFAULT false,
  agent_version integer NOT NULL DEFAULT 0,
  -- The bit of its tokens in the status list, and the access_version of the agent that it is of.
  status_idx bigint,
  status_version integer,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, secret_hash),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
)
-- Room for a new version on the page: only last_used_at changes often, and no index has it.
WITH (fillfactor = 80);
CREATE INDEX api_keys_by_age ON api_keys (tenant_id, created_at, id);
-- Whoever finds a key does not know its tenant.
CREATE INDEX api_keys_by_hash ON api_keys (secret_hash);
CREATE INDEX api_keys_by_agent ON api_keys (tenant_id, agent_id, created_at, id);
SELECT kw_isolate('api_keys');

-- What a user lets an agent do in their name (RFC 8693).
CREATE TABLE delegations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoke_reason text,
  -- Goes up when what the user or the agent may do changes.
  access_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  -- The newest takes the place of the one before.
  UNIQUE (tenant_id, user_id, agent_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE INDEX delegations_by_end ON delegations (expires_at);
CREATE INDEX delegations_by_user ON delegations (tenant_id, user_id, created_at, id);
CREATE INDEX delegations_by_agent ON delegations (tenant_id, agent_id, created_at, id);
SELECT kw_isolate('delegations');

-- Assertions that were traded for a token, until they expire: each is good once (RFC 7523 §3).
CREATE TABLE spent_assertions (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of who made it and its jti.
  id bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX spent_assertions_by_end ON spent_assertions (expires_at);
SELECT kw_isolate('spent_assertions');
