-- Second factors of users.

-- Whether one of the user's authenticators is confirmed. Set with each change of their factors, so that a login reads
-- nothing but the row of the user.
ALTER TABLE users ADD COLUMN has_second_factor boolean NOT NULL DEFAULT false;

CREATE TABLE user_factors (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('totp', 'recovery_codes')),
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- NULL until a code has shown that the user can use it. Until then it counts for nothing.
  confirmed_at timestamptz(3),
  -- When it is deleted unless it is confirmed.
  expires_at timestamptz,
  last_used_at timestamptz(3),
  -- Wrong codes in a row.
  failures integer NOT NULL DEFAULT 0,
  -- Encrypted.
  totp_secret bytea,
  -- The time step of the last accepted code: no code is accepted twice (RFC 6238 §5.2).
  last_step bigint NOT NULL DEFAULT 0,
  -- HMAC-SHA256 each. A used code is replaced by another one.
  recovery_codes bytea[],
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  CHECK ((type = 'totp') = (totp_secret IS NOT NULL)),
  CHECK ((type = 'recovery_codes') = (recovery_codes IS NOT NULL)),
  CHECK ((confirmed_at IS NULL) = (expires_at IS NOT NULL))
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX user_factors_by_user ON user_factors (tenant_id, user_id, id);
CREATE UNIQUE INDEX user_factors_recovery_codes ON user_factors (tenant_id, user_id) WHERE type = 'recovery_codes';
CREATE INDEX user_factors_by_end ON user_factors (expires_at) WHERE expires_at IS NOT NULL;
SELECT kw_isolate('user_factors');
