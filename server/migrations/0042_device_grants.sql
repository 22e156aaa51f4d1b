-- Logins that were begun on devices without a browser, until they expire (RFC 8628).
CREATE TABLE device_grants (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of what only the device knows: the device_code.
  id bytea NOT NULL,
  -- HMAC of what the user types, under a key of the tenant: it is short.
  user_code_hash bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- What is asked for, and what access tokens it is asked for.
  scopes text[] NOT NULL,
  targets text[] NOT NULL,
  -- Of the device, for its user to recognize.
  ip_address text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  interval_seconds integer NOT NULL,
  last_polled_at timestamptz(3),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'denied')),
  -- What was allowed, by whom and in which browser session. The session of the device stands on it.
  user_id text COLLATE "C",
  workspace_id text COLLATE "C",
  login_id text COLLATE "C",
  consent_id text COLLATE "C",
  consent_version integer,
  granted_scopes text[],
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, user_code_hash),
  CHECK ((state = 'approved') = (num_nulls(user_id, workspace_id, login_id, consent_id, consent_version,
                                           granted_scopes) = 0))
) WITH (fillfactor = 70);
-- Rows are inserted in the order of their age.
CREATE INDEX device_grants_by_end ON device_grants USING brin (expires_at);
SELECT kw_isolate('device_grants');
