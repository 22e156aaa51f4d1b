-- Streams of shared signals to receivers, and the events in them (OpenID Shared Signals Framework, CAEP, RISC).

-- Whose events a client may receive.
ALTER TABLE oauth_clients ADD COLUMN shared_signals text COLLATE "C" NOT NULL DEFAULT 'none'
  CHECK (shared_signals IN ('none', 'own_users', 'all_users'));

CREATE TABLE signal_streams (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL CHECK (method IN ('push', 'poll')),
  -- Where events are pushed to, and what is sent there as Authorization, encrypted under the tenant's data key.
  endpoint_url text,
  authorization_header bytea,
  -- URIs, as the receiver asked for them, known or not. NULL: all.
  events_requested text[],
  -- Names of the known ones.
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

-- Events of streams, in the order of the job queue (server/src/tenancy/jobs/store.ts), which names the columns from
-- queue_key to reason. They are signed when they are sent. No foreign keys: a user, a session or the stream may be gone by
-- then, and a change must not fail because a stream was deleted meanwhile.
CREATE TABLE signal_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  -- The jti.
  id text COLLATE "C" NOT NULL,
  -- The stream.
  queue_key text COLLATE "C" NOT NULL,
  -- Whom and which session it is about. NULL: the stream itself.
  user_id text COLLATE "C",
  session_id text COLLATE "C",
  type text COLLATE "C" NOT NULL,
  -- Members of the event.
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
