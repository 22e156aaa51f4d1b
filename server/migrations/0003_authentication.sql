-- Credentials of users, login attempts, and logins in steps.

CREATE TABLE user_credentials (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('password', 'oauth')),
  provider text NOT NULL,
  secret_hash text,
  external_id text,
  -- The algorithm and the parameters of a hash, as they are encoded before the salt: what its verification costs. Set by
  -- a trigger.
  scheme text COLLATE "C",
  PRIMARY KEY (tenant_id, user_id, type, provider),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  CHECK ((type = 'password') = (secret_hash IS NOT NULL)),
  CHECK ((type = 'oauth') = (external_id IS NOT NULL))
);
-- A subject of a provider belongs to one user.
CREATE UNIQUE INDEX user_credentials_by_external_id ON user_credentials (tenant_id, provider, external_id)
  WHERE type = 'oauth';
-- Counts the passwords of each scheme. Without the condition, while statistics have few users, look-ups of one user's
-- credentials read all of their tenant through this index.
CREATE INDEX user_credentials_by_scheme ON user_credentials (tenant_id, scheme) WHERE scheme IS NOT NULL;
SELECT kw_isolate('user_credentials');

CREATE TABLE login_attempts (
  tenant_id text COLLATE "C" NOT NULL,
  -- SHA-256 of an address, an identifier or a user ID.
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

-- Second factors and passkeys.
CREATE TABLE user_factors (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('totp', 'recovery_codes', 'passkey')),
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- NULL until a code has shown that the user can use it. Until then the factor does not count.
  confirmed_at timestamptz(3),
  -- When it is deleted unless it is confirmed.
  expires_at timestamptz,
  last_used_at timestamptz(3),
  -- Consecutive wrong codes.
  failures integer NOT NULL DEFAULT 0,
  -- Encrypted.
  totp_secret bytea,
  -- The time step of the last accepted code: no code is accepted twice (RFC 6238 §5.2).
  last_step bigint NOT NULL DEFAULT 0,
  -- HMAC-SHA256 each. A used code is replaced by another one.
  recovery_codes bytea[],
  credential_id bytea,
  -- The public key of a passkey, as it is checked: SubjectPublicKeyInfo, and its COSE algorithm.
  public_key bytea,
  algorithm integer,
  -- The same as the authenticator gave it (RFC 9052 §7).
  cose_key bytea,
  -- The domain that browsers bind it to. Under another one it cannot be used.
  rp_id text COLLATE "C",
  -- Of signatures; 0: the authenticator counts none.
  counter bigint,
  backup_eligible boolean,
  backed_up boolean,
  transports text[],
  aaguid text COLLATE "C",
  -- Identifies the user to the authenticator; the same for all passkeys of a user.
  user_handle bytea,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  CHECK ((type = 'totp') = (totp_secret IS NOT NULL)),
  CHECK ((type = 'recovery_codes') = (recovery_codes IS NOT NULL)),
  CHECK ((confirmed_at IS NULL) = (expires_at IS NOT NULL)),
  CONSTRAINT user_factors_passkey_check CHECK ((type = 'passkey') = (
    credential_id IS NOT NULL AND public_key IS NOT NULL AND algorithm IS NOT NULL AND cose_key IS NOT NULL
    AND rp_id IS NOT NULL AND counter IS NOT NULL AND backup_eligible IS NOT NULL AND backed_up IS NOT NULL
    AND transports IS NOT NULL AND aaguid IS NOT NULL AND user_handle IS NOT NULL))
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX user_factors_by_user ON user_factors (tenant_id, user_id, id);
CREATE UNIQUE INDEX user_factors_recovery_codes ON user_factors (tenant_id, user_id) WHERE type = 'recovery_codes';
CREATE INDEX user_factors_by_end ON user_factors (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX user_factors_passkeys ON user_factors (tenant_id, credential_id) WHERE credential_id IS NOT NULL;
SELECT kw_isolate('user_factors');

-- Logins in steps.
CREATE TABLE login_flows (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL
    CHECK (purpose IN ('login', 'recovery', 'step_up', 'invitation', 'linking')),
  -- SHA-256 of its secret.
  token_hash bytea NOT NULL,
  -- Normalized; of a user or unknown.
  identifier text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C",
  -- What was proven, each written by the statement that accepted it: [{method, user_id, auth_version, at}].
  proofs jsonb NOT NULL DEFAULT '[]',
  -- Increases with each proof: of two concurrent steps, one is accepted.
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  -- The session that it opened.
  session_id text COLLATE "C",
  -- The least assurance of its session.
  acr text COLLATE "C",
  -- The session that it continues.
  steps_up text COLLATE "C",
  -- An unknown identifier may register, once it is proven.
  registers boolean NOT NULL DEFAULT false,
  -- The name of the user whom the flow creates.
  name text,
  -- Of the messages.
  locale text COLLATE "C",
  -- Shown to the user who opens a link on another device.
  user_agent text COLLATE "C",
  -- The flow whose message this one redeems, on another device.
  continues text COLLATE "C",
  -- SHA-256 of the challenge that the next passkey of the flow has to sign.
  passkey_challenge bytea,
  passkey_expires_at timestamptz(3),
  -- The number of passkey challenges so far.
  passkey_challenges integer NOT NULL DEFAULT 0,
  -- The invitation that its session accepts.
  invitation_id text COLLATE "C",
  -- For a login that was started on a page: the request of the application, sealed for the browser, with which the link
  -- of its message continues. NULL: no message was sent from a page.
  page text CHECK (length(page) <= 16384),
  -- A hash of the network that started the flow. NULL: a session or an administrator did.
  opened_from bytea,
  PRIMARY KEY (tenant_id, id)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX login_flows_by_identifier ON login_flows (tenant_id, identifier, id) WHERE ended_at IS NULL;
CREATE INDEX login_flows_by_end ON login_flows (expires_at);
-- The open flows of an identifier are limited for each network, so that other networks cannot use them up.
CREATE INDEX login_flows_by_opener ON login_flows (tenant_id, identifier, opened_from, id) WHERE ended_at IS NULL;
SELECT kw_isolate('login_flows');

-- Codes and links that were sent to users: one for each kind in a flow, which a resend repeats. Its code and its link are
-- derived from its ID and kind, and stored nowhere. It has no foreign key to a user: one is also written for an unknown
-- identifier, at the same cost.
CREATE TABLE challenges (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL
    CHECK (kind IN ('login', 'verification', 'recovery', 'second_factor_sms', 'second_factor_email')),
  -- NULL: no user has the identifier, and the message was not sent.
  user_id text COLLATE "C",
  -- Of the user when it was sent: what was sent before their credentials changed is worthless.
  auth_version integer,
  -- Counted before they are compared. Another challenge of the flow continues the count.
  guesses integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, flow_id, kind),
  CHECK ((user_id IS NULL) = (auth_version IS NULL))
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX challenges_by_end ON challenges (expires_at);
SELECT kw_isolate('challenges');
