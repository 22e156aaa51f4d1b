-- Logins in steps.

CREATE TABLE login_flows (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('login')),
  -- SHA-256 of its secret.
  token_hash bytea NOT NULL,
  -- Normalised; known or not.
  identifier text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C",
  -- What was proven, each written by the statement that accepted it: [{method, user_id, auth_version, at}].
  proofs jsonb NOT NULL DEFAULT '[]',
  -- Increases with each proof: of two concurrent steps, one is accepted.
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  -- The session that it has led to.
  session_id text COLLATE "C",
  PRIMARY KEY (tenant_id, id)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX login_flows_by_identifier ON login_flows (tenant_id, identifier, id) WHERE ended_at IS NULL;
CREATE INDEX login_flows_by_end ON login_flows (expires_at);
SELECT kw_isolate('login_flows');
