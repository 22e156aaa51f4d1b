-- Messages to users: the queue, the templates of tenants, and addresses that get no messages.

-- The job queue (server/src/tenancy/jobs/store.ts) finds the primary key, and names the columns from queue_key to reason.
-- No code and no link is stored: they are derived when a message is sent.
CREATE TABLE messages (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- type: MessageKind
  kind text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL CHECK (channel IN ('email', 'sms')),
  -- NULL: that of the tenant.
  locale text COLLATE "C",
  -- Encrypted under the tenant's data key.
  destination bytea NOT NULL,
  masked_destination text NOT NULL,
  user_id text COLLATE "C",
  challenge_id text COLLATE "C",
  -- Without secrets.
  -- type: Record<string, string>
  vars jsonb NOT NULL,
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
  -- Whether the link of the message leads to a page of the service instead of one of the application.
  to_page boolean NOT NULL DEFAULT false,
  -- The language that the user had chosen when the message was queued.
  user_locale text COLLATE "C",
  -- For notices of a changed mail server: the settings of the previous one, through which they are sent, encrypted under
  -- the tenant's data key; erased when the message has been sent or given up.
  through bytea,
  PRIMARY KEY (tenant_id, id)
)
-- Free space for HOT updates; vacuumed early, since every row changes.
WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX messages_due ON messages (tenant_id, queue_key, due_at) WHERE status = 'pending';
CREATE INDEX messages_by_user ON messages (tenant_id, user_id, id) WHERE user_id IS NOT NULL;
-- Rows are inserted in the order of their age.
CREATE INDEX messages_by_age ON messages USING brin (created_at);
SELECT kw_isolate('messages');

CREATE TABLE message_templates (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- type: MessageKind
  kind text COLLATE "C" NOT NULL,
  locale text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, kind, locale)
);
SELECT kw_isolate('message_templates');

CREATE TABLE suppressions (
  tenant_id text COLLATE "C" NOT NULL,
  -- An HMAC of the address under a key of the tenant.
  id text COLLATE "C" NOT NULL,
  -- Encrypted under the tenant's data key.
  destination bytea NOT NULL,
  masked_destination text NOT NULL,
  reason text COLLATE "C" NOT NULL CHECK (reason IN ('bounce', 'complaint')),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX suppressions_by_age ON suppressions (tenant_id, created_at, id);
SELECT kw_isolate('suppressions');

-- Text messages of a tenant to a country, and codes of them that were used, by 50. One row for each country at most.
CREATE TABLE sms_traffic (
  tenant_id text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  sent integer NOT NULL,
  redeemed integer NOT NULL,
  paused_until timestamptz(3),
  PRIMARY KEY (tenant_id, country)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
SELECT kw_isolate('sms_traffic');
