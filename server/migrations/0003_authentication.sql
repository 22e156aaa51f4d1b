-- Credentials of users, and login attempts.

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

CREATE TABLE login_attempts (
  tenant_id text COLLATE "C" NOT NULL,
  -- SHA-256 of an address, an identifier or a user id.
  subject bytea NOT NULL,
  window_started_at timestamptz NOT NULL,
  window_ends_at timestamptz NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (tenant_id, subject)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX login_attempts_by_end ON login_attempts (window_ends_at);
SELECT kw_isolate('login_attempts');
