-- The installation itself, and stored answers to repeatable requests.

-- One row: the id of the master key that wraps the tenants' data keys.
CREATE TABLE installation (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  master_key_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE ON installation TO keywright_system;

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
