-- Requests of OAuth clients, and what clients are notified of.

-- Authorization requests that clients pushed, until they expire (RFC 9126).
CREATE TABLE pushed_requests (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of the request_uri, which only the client knows.
  id bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- As a form.
  parameters text NOT NULL CHECK (length(parameters) <= 16384),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
-- Rows are inserted in the order of their age.
CREATE INDEX pushed_requests_by_end ON pushed_requests USING brin (expires_at);
SELECT kw_isolate('pushed_requests');

-- Logins that were started on devices without a browser, until they expire (RFC 8628).
CREATE TABLE device_grants (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of the device_code, which only the device knows.
  id bytea NOT NULL,
  -- HMAC of the code that the user types, under a key of the tenant: it is short.
  user_code_hash bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- The requested scopes and access tokens.
  scopes text[] NOT NULL,
  targets text[] NOT NULL,
  -- Of the device, for its user to recognize.
  ip_address text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  interval_seconds integer NOT NULL,
  last_polled_at timestamptz(3),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'denied')),
  -- What was allowed, by which user and in which browser session. The session of the device depends on it.
  user_id text COLLATE "C",
  workspace_id text COLLATE "C",
  login_id text COLLATE "C",
  consent_id text COLLATE "C",
  consent_version integer,
  granted_scopes text[],
  PRIMARY KEY (tenant_id, id),
  CHECK ((state = 'approved') = (num_nulls(user_id, workspace_id, login_id, consent_id, consent_version,
                                           granted_scopes) = 0))
) WITH (fillfactor = 70);
-- Rows are inserted in the order of their age.
CREATE INDEX device_grants_by_end ON device_grants USING brin (expires_at);
-- It does not start with the tenant: if a tenant has many waiting devices, PostgreSQL estimates such an index to be as good
-- as the primary key for finding an ID, until a plan for any values reads all devices of the tenant.
CREATE UNIQUE INDEX device_grants_by_user_code ON device_grants (user_code_hash, tenant_id);
SELECT kw_isolate('device_grants');

-- Clients are notified when a login ends (OpenID Connect Back-Channel Logout), by jobs of the queue
-- (server/src/tenancy/jobs/store.ts), which names the columns from queue_key to reason. The token is made when it is sent.
-- No foreign keys: a user or a session may be gone by then.
CREATE TABLE logout_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  -- The session: its client is notified once.
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The client.
  -- type: OAuthClientId
  queue_key text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'done', 'failed', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  takes integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  held_until timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  reason text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
)
-- Free space for HOT updates; vacuumed early, since every row changes.
WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX logout_deliveries_due ON logout_deliveries (tenant_id, queue_key, due_at) WHERE status = 'pending';
CREATE INDEX logout_deliveries_of_client ON logout_deliveries (tenant_id, queue_key, created_at, id);
-- Rows are inserted in the order of their age.
CREATE INDEX logout_deliveries_by_age ON logout_deliveries USING brin (created_at);
SELECT kw_isolate('logout_deliveries');

-- Streams of shared signals to receivers (OpenID Shared Signals Framework, CAEP, RISC).
CREATE TABLE signal_streams (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL CHECK (method IN ('push', 'poll')),
  -- Where events are pushed to, and the Authorization header for it, encrypted under the tenant's data key.
  endpoint_url text,
  authorization_header bytea,
  -- URIs, as the receiver requested them, supported or not. NULL: all.
  events_requested text[],
  -- Names of the supported ones.
  events_delivered text[] NOT NULL,
  description text,
  status text COLLATE "C" NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'paused', 'disabled')),
  status_reason text,
  -- Since when every push has failed; NULL after a success.
  failing_since timestamptz(3),
  -- The last request for a verification.
  verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE,
  CHECK ((method = 'push') = (endpoint_url IS NOT NULL)),
  CHECK (method = 'push' OR authorization_header IS NULL)
);
CREATE INDEX signal_streams_of_client ON signal_streams (tenant_id, client_id, created_at, id);
SELECT kw_isolate('signal_streams');

-- Events of streams, as jobs of the queue (server/src/tenancy/jobs/store.ts), which names the columns from queue_key to
-- reason. They are signed when they are sent. No foreign keys: a user, a session or the stream may be gone by then, and a
-- change must not fail because a stream was deleted meanwhile.
CREATE TABLE signal_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  -- The jti.
  id text COLLATE "C" NOT NULL,
  -- The stream.
  -- type: SignalStreamId
  queue_key text COLLATE "C" NOT NULL,
  -- The user and the session that it is about. NULL: it is about the stream itself.
  user_id text COLLATE "C",
  session_id text COLLATE "C",
  -- type: Signal | StreamSignal
  type text COLLATE "C" NOT NULL,
  -- Members of the event.
  -- type: Record<string, unknown>
  data jsonb NOT NULL,
  -- Why a session ended.
  cause text COLLATE "C",
  -- The same for all that one change caused.
  txn text NOT NULL,
  -- Waiting: to be polled, or for its paused stream. The queue sees only what is pending.
  status text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'waiting', 'done', 'failed', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  takes integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  held_until timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  reason text,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
)
-- Free space for HOT updates; vacuumed early, since every row changes.
WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX signal_deliveries_due ON signal_deliveries (tenant_id, queue_key, due_at) WHERE status = 'pending';
CREATE INDEX signal_deliveries_waiting ON signal_deliveries (tenant_id, queue_key, created_at, id)
  WHERE status = 'waiting';
-- Rows are inserted in the order of their age.
CREATE INDEX signal_deliveries_by_age ON signal_deliveries USING brin (created_at);
SELECT kw_isolate('signal_deliveries');
