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
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_in_order ON events (tenant_id, xid, id);
CREATE INDEX events_by_subject ON events (tenant_id, subject, xid, id);
CREATE INDEX events_by_age ON events (created_at);
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
  -- The place in the tenant's chain. An entry is written without one: it is sealed later, many at a time.
  position bigint CHECK (position > 0),
  previous_hash bytea,
  hash bytea,
  PRIMARY KEY (tenant_id, id),
  CHECK ((position IS NULL) = (hash IS NULL)),
  CHECK (previous_hash IS NULL OR position > 1)
);
CREATE UNIQUE INDEX audit_entries_by_position ON audit_entries (tenant_id, position)
  WHERE position IS NOT NULL;
CREATE INDEX audit_entries_unsealed ON audit_entries (tenant_id, id) WHERE position IS NULL;
CREATE INDEX audit_entries_by_actor ON audit_entries (tenant_id, actor_id, id);
CREATE INDEX audit_entries_by_principal ON audit_entries (tenant_id, on_behalf_of, id)
  WHERE on_behalf_of IS NOT NULL;
CREATE INDEX audit_entries_by_target ON audit_entries (tenant_id, target_id, id);
CREATE INDEX audit_entries_by_action ON audit_entries (tenant_id, action, id);
SELECT kw_isolate('audit_entries');
-- What an entry tells is written once; only its place in the chain comes later.
REVOKE UPDATE, DELETE ON audit_entries FROM keywright_tenant;
REVOKE UPDATE ON audit_entries FROM keywright_system;
GRANT UPDATE (position, previous_hash, hash) ON audit_entries TO keywright_tenant;

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

-- Writes events. Every event of the service comes through here. The caller has entered the tenant.
-- p_events: a list of {id, type, subject, data, created_at}.
CREATE FUNCTION kw_emit(p_tenant text, p_events jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (tenant_id, id, type, subject, data, created_at)
  SELECT p_tenant, e.id, e.type, e.subject, e.data, e.created_at
    FROM jsonb_to_recordset(p_events)
      AS e (id text, type text, subject text, data jsonb, created_at timestamptz);
END
$$;

-- Writes what a change leaves behind: entries of the audit log, and events. The caller has entered the tenant.
CREATE FUNCTION kw_record(p_tenant text, p_entries jsonb, p_events jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (
    tenant_id, id, created_at, actor_kind, actor_id, on_behalf_of, credential, action, target_kind, target_id,
    outcome, address, request_id, count, details
  )
  SELECT p_tenant, e.id, e.created_at, e.actor_kind, e.actor_id, e.on_behalf_of, e.credential, e.action,
         e.target_kind, e.target_id, e.outcome, e.address, e.request_id, e.count, e.details
    FROM jsonb_to_recordset(p_entries) AS e (
      id text, created_at timestamptz, actor_kind text, actor_id text, on_behalf_of text, credential text,
      action text, target_kind text, target_id text, outcome text, address text, request_id text,
      count integer, details jsonb);
  IF p_events <> '[]' THEN
    PERFORM kw_emit(p_tenant, p_events);
  END IF;
END
$$;
