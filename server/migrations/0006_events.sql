-- Events, which others read and endpoints are sent, and the audit log. Both are written in the transaction of
-- the change that they tell of. Neither table points at tenants: the key of a tenant would be locked by every
-- login of it at once. Whoever writes here has locked another row of the tenant, or locks the tenant's own.

CREATE TABLE events (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  -- The id that the event is about.
  subject text COLLATE "C" NOT NULL,
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The transaction that wrote it. Events are read in this order, and only up to the oldest transaction that is
  -- still under way, so that none appears behind a reader: see the ADR on events.
  xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
  -- The endpoints that are to be told. NULL: none.
  told text[],
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_in_order ON events (tenant_id, xid, id);
CREATE INDEX events_by_type ON events (tenant_id, type, xid, id);
CREATE INDEX events_by_subject ON events (tenant_id, subject, xid, id);
CREATE INDEX events_by_age ON events (created_at);
CREATE INDEX events_told ON events (xid) WHERE told IS NOT NULL;
SELECT kw_isolate('events');
-- What has happened does not change.
REVOKE UPDATE, DELETE ON events FROM keywright_tenant;

CREATE TABLE audit_entries (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL,
  actor_id text COLLATE "C",
  on_behalf_of text COLLATE "C",
  credential text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  target_kind text NOT NULL,
  target_id text COLLATE "C",
  outcome text NOT NULL CHECK (outcome IN ('success', 'failure', 'denied')),
  address text,
  request_id text,
  count integer NOT NULL CHECK (count > 0),
  details jsonb NOT NULL,
  -- Under a key that is derived from the data key of the tenant, made by the service before the entry is written:
  -- somebody who can write to the database, and no more, cannot invent an entry. See the ADR on MACs.
  mac bytea CONSTRAINT audit_entries_carry_a_mac CHECK (mac IS NOT NULL AND octet_length(mac) = 32),
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_entries_by_actor ON audit_entries (tenant_id, actor_id, id);
CREATE INDEX audit_entries_by_principal ON audit_entries (tenant_id, on_behalf_of, id)
  WHERE on_behalf_of IS NOT NULL;
CREATE INDEX audit_entries_by_target ON audit_entries (tenant_id, target_id, id);
CREATE INDEX audit_entries_by_action ON audit_entries (tenant_id, action, id);
-- What went wrong is rare, and what is asked for.
CREATE INDEX audit_entries_by_outcome ON audit_entries (tenant_id, outcome, id) WHERE outcome <> 'success';
SELECT kw_isolate('audit_entries');
-- What an entry tells is written once.
REVOKE UPDATE, DELETE ON audit_entries FROM keywright_tenant;
REVOKE UPDATE ON audit_entries FROM keywright_system;

-- Entries that are not in the chain yet. A short queue beside a long log: what comes and goes is here.
CREATE TABLE audit_unsealed (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
SELECT kw_isolate('audit_unsealed');

-- The tenant's chain: each hash covers the entry, its position and the hash before it. Sealed a batch at a time,
-- after the entries were committed, so that writers never wait for each other: see the ADR on the audit log.
CREATE TABLE audit_chain (
  tenant_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL CHECK (position > 0),
  entry_id text COLLATE "C" NOT NULL,
  previous_hash bytea,
  hash bytea NOT NULL,
  PRIMARY KEY (tenant_id, position),
  UNIQUE (tenant_id, entry_id),
  CHECK ((previous_hash IS NULL) = (position = 1))
);
SELECT kw_isolate('audit_chain');
REVOKE UPDATE, DELETE ON audit_chain FROM keywright_tenant;
REVOKE UPDATE ON audit_chain FROM keywright_system;

-- Heads of the chain, signed with the tenant's key.
CREATE TABLE audit_checkpoints (
  tenant_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  token text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, position)
);
SELECT kw_isolate('audit_checkpoints');
REVOKE UPDATE, DELETE ON audit_checkpoints FROM keywright_tenant;
REVOKE UPDATE ON audit_checkpoints FROM keywright_system;

-- Endpoints that events are delivered to.
CREATE TABLE webhooks (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  disabled_reason text,
  -- Since when nothing but failures was had; NULL after a success.
  failing_since timestamptz(3),
  -- Sealed under the tenant's data key.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX webhooks_by_age ON webhooks (tenant_id, created_at, id);
SELECT kw_isolate('webhooks');

-- Deliveries of events to endpoints. One that succeeds at its first attempt is written once, when it is over, together with
-- others: until then it is the event itself that tells that it is owed (see the ADR on deliveries that are written once).
-- Points at no endpoint: the key of one would be locked by every change of its tenant at once, and a change that
-- races with the endpoint's deletion would fail. What has no endpoint is never sent, and goes with its event.
CREATE TABLE webhook_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  -- kw_delivery_id makes it of the event and the endpoint, so that one event goes to one endpoint once, and the ids of an
  -- endpoint's deliveries are in the order of their events.
  id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Those that are over.
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  -- Until when nobody else takes it; who is sending it sets this again and again. In no index, so that doing so writes
  -- to none.
  held_until timestamptz(3),
  -- Counts who took it, and who had it queued anew: only the last one may record how it ended.
  takes integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz(3),
  response_status integer,
  response_body text,
  reason text,
  -- When the event happened.
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, webhook_id, id)
)
-- Room for a new version of the row on its own page; its old versions are cleared up early, since most rows change.
WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, due_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (tenant_id, webhook_id, id)
  WHERE status = 'failed';
-- Rows come in the order of their age.
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING brin (created_at);
SELECT kw_isolate('webhook_deliveries');

-- One row: each event that a transaction before this one wrote has a row for each delivery that is owed.
CREATE TABLE deliveries_checked (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  before_xid bigint NOT NULL
);
INSERT INTO deliveries_checked (before_xid) VALUES (0);
GRANT SELECT, UPDATE ON deliveries_checked TO keywright_system;
