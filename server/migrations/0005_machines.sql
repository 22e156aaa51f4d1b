-- Agents, their API keys, and the grants by which they act for users.

CREATE TABLE agents (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- The owner. The agent outlives them.
  owner_id text COLLATE "C",
  -- Public keys that verify the agent's assertions (RFC 7523), and outside issuers whose tokens authenticate it.
  -- type: NonNullable<AgentRecord['jwks']>
  jwks jsonb,
  -- type: AgentRecord['trusts']
  trusts jsonb NOT NULL DEFAULT '[]',
  -- Increases when the agent's permissions or means of authentication change: its previously issued tokens are
  -- rejected.
  access_version integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  -- The bit of its tokens in the status list, and the access_version that it belongs to.
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
  -- SHA-256 of the whole key; the first characters of the key, to recognize it.
  secret_hash bytea NOT NULL,
  prefix text NOT NULL,
  -- NULL: all scopes of the agent; any address.
  scopes text[],
  allowed_ips text[],
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text,
  -- The successor of a rotated key.
  successor_id text COLLATE "C",
  -- The state of the agent that each use of the key checks, copied by triggers: one row is looked up, not two. The
  -- version increases with every change of the agent's row.
  agent_is_active boolean NOT NULL DEFAULT false,
  agent_version integer NOT NULL DEFAULT 0,
  -- The bit of its tokens in the status list, and the agent's access_version that it belongs to.
  status_idx bigint,
  status_version integer,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, secret_hash),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
)
-- Free space for HOT updates: only last_used_at changes often, and it is not indexed.
WITH (fillfactor = 80);
CREATE INDEX api_keys_by_age ON api_keys (tenant_id, created_at, id);
-- A leaked key is reported without its tenant.
CREATE INDEX api_keys_by_hash ON api_keys (secret_hash);
CREATE INDEX api_keys_by_agent ON api_keys (tenant_id, agent_id, created_at, id);
SELECT kw_isolate('api_keys');

-- What an agent may do on behalf of a user (RFC 8693).
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
  -- Increases when the permissions of the user or the agent change.
  access_version integer NOT NULL DEFAULT 0,
  -- When the agent last got a token under the delegation, to the minute. It is in no index, so that the updates are HOT.
  last_used_at timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  -- A new one replaces the previous one.
  UNIQUE (tenant_id, user_id, agent_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE INDEX delegations_by_end ON delegations (expires_at);
CREATE INDEX delegations_by_user ON delegations (tenant_id, user_id, created_at, id);
CREATE INDEX delegations_by_agent ON delegations (tenant_id, agent_id, created_at, id);
SELECT kw_isolate('delegations');

-- Assertions that were exchanged for a token, until they expire: each can be used once (RFC 7523 §3).
CREATE TABLE spent_assertions (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of the issuer and its jti.
  id bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX spent_assertions_by_end ON spent_assertions (expires_at);
SELECT kw_isolate('spent_assertions');
