-- What users take along of their account, in the order of the job queue (server/src/tenancy/jobs/store.ts), which names
-- the columns from queue_key to reason.
CREATE TABLE account_exports (
  tenant_id text COLLATE "C" NOT NULL,
  -- The user: each has one, and the next replaces it.
  id text COLLATE "C" NOT NULL,
  -- The session that asked.
  session_id text COLLATE "C" NOT NULL,
  queue_key text COLLATE "C" NOT NULL DEFAULT 'exports',
  status text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'done', 'failed', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  takes integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  held_until timestamptz(3),
  -- Until then it is made, and can be read.
  expires_at timestamptz(3) NOT NULL,
  reason text,
  created_at timestamptz(3) NOT NULL,
  -- JSON, compressed, sealed by the tenant's data key.
  content bytea,
  -- Of the JSON.
  bytes integer,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX account_exports_due ON account_exports (tenant_id, queue_key, due_at) WHERE status = 'pending';
SELECT kw_isolate('account_exports');
