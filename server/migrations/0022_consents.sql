-- What users allow OAuth clients, and the sessions that clients open with codes.

CREATE TABLE consents (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- All that was allowed so far.
  scopes text[] NOT NULL,
  -- Increases whenever it is revoked: codes of the time before open nothing.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE UNIQUE INDEX consents_of_user ON consents (tenant_id, user_id, client_id);
CREATE INDEX consents_of_client ON consents (tenant_id, client_id);
CREATE INDEX consents_by_age ON consents (tenant_id, created_at, id);
SELECT kw_isolate('consents');

-- SHA-256 of the code that opened a client's session: it opens no other.
ALTER TABLE sessions ADD COLUMN code_hash bytea;
CREATE UNIQUE INDEX sessions_by_code ON sessions (tenant_id, code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX sessions_by_client ON sessions (tenant_id, client_id, user_id) WHERE client_id IS NOT NULL;
