-- Events, which clients read and endpoints receive, and the audit log. Both are written in the transaction of the
-- change. Neither table has a foreign key to tenants, which would lock the tenant's key in every concurrent login.
-- Writers have locked another row of the tenant, or lock the tenant's own.

CREATE TABLE events (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  -- The id of the subject of the event.
  subject text COLLATE "C" NOT NULL,
  -- type: Record<string, unknown>
  data jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The transaction that wrote it. Events are read in this order, and only up to the oldest transaction in progress, so
  -- that none appears behind a reader: see the ADR on events.
  xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
  -- The endpoints that receive it. NULL: none.
  told text[],
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_in_order ON events (tenant_id, xid, id);
CREATE INDEX events_by_type ON events (tenant_id, type, xid, id);
CREATE INDEX events_by_subject ON events (tenant_id, subject, xid, id);
CREATE INDEX events_by_age ON events (created_at);
CREATE INDEX events_told ON events (xid) WHERE told IS NOT NULL;
SELECT kw_isolate('events');
-- Events are immutable.
REVOKE UPDATE, DELETE ON events FROM keywright_tenant;

CREATE TABLE audit_entries (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- type: ActorKind
  actor_kind text NOT NULL,
  actor_id text COLLATE "C",
  on_behalf_of text COLLATE "C",
  credential text COLLATE "C",
  -- type: AuditAction
  action text COLLATE "C" NOT NULL,
  -- type: TargetKind
  target_kind text NOT NULL,
  target_id text COLLATE "C",
  outcome text NOT NULL CHECK (outcome IN ('success', 'failure', 'denied')),
  address text,
  request_id text,
  count integer NOT NULL CHECK (count > 0),
  -- type: AuditEntry['details']
  details jsonb NOT NULL,
  -- Under a key derived from the tenant's data key, computed by the service before the entry is written: write access
  -- to the database alone does not allow forging an entry. See the ADR on MACs.
  mac bytea CONSTRAINT audit_entries_carry_a_mac CHECK (mac IS NOT NULL AND octet_length(mac) = 32),
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_entries_by_actor ON audit_entries (tenant_id, actor_id, id);
CREATE INDEX audit_entries_by_principal ON audit_entries (tenant_id, on_behalf_of, id)
  WHERE on_behalf_of IS NOT NULL;
CREATE INDEX audit_entries_by_target ON audit_entries (tenant_id, target_id, id);
CREATE INDEX audit_entries_by_action ON audit_entries (tenant_id, action, id);
-- Failures are rare, and often searched for.
CREATE INDEX audit_entries_by_outcome ON audit_entries (tenant_id, outcome, id) WHERE outcome <> 'success';
SELECT kw_isolate('audit_entries');
-- Audit entries are immutable.
REVOKE UPDATE, DELETE ON audit_entries FROM keywright_tenant;
REVOKE UPDATE ON audit_entries FROM keywright_system;

-- Entries that are not in the chain yet: a short queue next to a long log.
CREATE TABLE audit_unsealed (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
SELECT kw_isolate('audit_unsealed');

-- The tenant's chain: each hash covers the entry, its position and the previous hash. Sealed in batches after the
-- entries were committed, so that writers never wait for each other: see the ADR on the audit log.
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

-- Endpoints that receive events.
CREATE TABLE webhooks (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  disabled_reason text,
  -- Since when every delivery has failed; NULL after a success.
  failing_since timestamptz(3),
  -- Encrypted under the tenant's data key.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX webhooks_by_age ON webhooks (tenant_id, created_at, id);
SELECT kw_isolate('webhooks');

-- Deliveries of events to endpoints. One that succeeds at its first attempt is written once, afterward, in a batch:
-- until then the event itself shows that it is due (see the ADR on deliveries that are written once). No foreign key to
-- the endpoint, which every concurrent change of the tenant would lock, and which would make a change fail that races
-- with the endpoint's deletion. Deliveries without an endpoint are never sent, and are deleted with their events.
CREATE TABLE webhook_deliveries (
  tenant_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  -- Derived by kw_delivery_id from the event and the endpoint, so that an event is delivered to an endpoint once, and
  -- the deliveries of an endpoint sort like their events.
  id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  -- Number of finished attempts.
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  -- End of the lease, renewed by the node that is sending. Not indexed, so that renewals update no index.
  held_until timestamptz(3),
  -- Number of claims, and of replays: only the last one may record the result.
  takes integer NOT NULL DEFAULT 0,
  last_attempt_at timestamptz(3),
  response_status integer,
  response_body text,
  reason text,
  -- When the event happened.
  created_at timestamptz(3) NOT NULL,
  -- Of the last attempt.
  duration_ms integer,
  -- The last ten attempts, the oldest first, each with at, status, duration_ms, reason and body. NULL: the only attempt is
  -- the one that the other columns describe, as it is for most deliveries.
  -- type: DeliveryAttempt[]
  history jsonb,
  PRIMARY KEY (tenant_id, webhook_id, id)
)
-- Free space for HOT updates; vacuumed early, since most rows change.
WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, due_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (tenant_id, webhook_id, id)
  WHERE status = 'failed';
-- Rows are inserted in the order of their age.
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING brin (created_at);
SELECT kw_isolate('webhook_deliveries');

-- One row: every event written by an earlier transaction has a row for each due delivery.
CREATE TABLE deliveries_checked (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  before_xid bigint NOT NULL
);
INSERT INTO deliveries_checked (before_xid) VALUES (0);
GRANT SELECT, UPDATE ON deliveries_checked TO keywright_system;
