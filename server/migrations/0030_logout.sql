-- Applications are told when a login ends (OpenID Connect Back-Channel Logout).

ALTER TABLE oauth_clients
  -- NULL: it is not told.
  ADD COLUMN backchannel_logout_uri text,
  ADD COLUMN backchannel_logout_session_required boolean NOT NULL DEFAULT false;

-- The browser session that a client's session was opened in and outlives (offline_access). One that ends with it has it
-- as parent_id.
ALTER TABLE sessions ADD COLUMN login_id text COLLATE "C";
CREATE INDEX sessions_by_login ON sessions (tenant_id, login_id) WHERE login_id IS NOT NULL;

-- What clients are told, in the order of the job queue (server/src/tenancy/jobs/store.ts), which names the columns from
-- queue_key to reason. The token is made when it is sent. No foreign keys: a user or a session may be gone by then.
CREATE TABLE logout_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  -- The session: its client is told of each once.
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The client.
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
