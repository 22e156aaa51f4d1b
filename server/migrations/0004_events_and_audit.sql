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
  -- still under way, so that none appears behind a reader: see ADR 14.
  xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX events_in_order ON events (tenant_id, xid, id);
CREATE INDEX events_by_type ON events (tenant_id, type, xid, id);
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
-- after the entries were committed, so that writers never wait for each other: see ADR 19.
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

-- Writes events. Every event of the service comes through here. The caller has entered the tenant.
-- p_events: a list of {id, type, subject, data, created_at}. Answers what was queued to be delivered, each as JSON, or NULL.
CREATE FUNCTION kw_emit(p_tenant text, p_events jsonb) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (tenant_id, id, type, subject, data, created_at)
  SELECT p_tenant, e.id, e.type, e.subject, e.data, e.created_at
    FROM jsonb_to_recordset(p_events)
      AS e (id text, type text, subject text, data jsonb, created_at timestamptz);
  RETURN NULL;
END
$$;

-- Writes what a change leaves behind: entries of the audit log, and events. The caller has entered the tenant.
-- Answers what was queued to be delivered, each as JSON, or NULL.
CREATE FUNCTION kw_record(p_tenant text, p_entries jsonb, p_events jsonb)
RETURNS text[] LANGUAGE plpgsql AS $$
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
  INSERT INTO audit_unsealed SELECT p_tenant, e.id FROM jsonb_to_recordset(p_entries) AS e (id text);
  IF p_events = '[]' THEN
    RETURN NULL;
  END IF;
  RETURN kw_emit(p_tenant, p_events);
END
$$;

-- After the password was right: open the session, unless the user was deactivated or the password was
-- changed while the hash was computed. What is recorded of it names the workspace that the login lands in.
DROP FUNCTION kw_open_session;
CREATE FUNCTION kw_open_session(
  p_tenant text, p_session text, p_user text, p_secret_hash text, p_workspace text,
  p_user_agent text, p_ip_address text, p_now timestamptz, p_expires_at timestamptz,
  p_absolute_expires_at timestamptz, p_refresh_hash bytea, p_refresh_kid text,
  p_refresh_issued_at timestamptz, p_address_subject bytea, p_identifier_subject bytea,
  p_entries jsonb, p_events jsonb
) RETURNS TABLE (
  outcome text, workspace_id text, roles text[], scopes text[], identifiers jsonb, queued text[]
) LANGUAGE plpgsql AS $$
DECLARE
  v_subject kw_subject;
BEGIN
  PERFORM kw_enter(p_tenant);
  PERFORM kw_give_back_attempt(p_tenant, p_address_subject, p_now);
  PERFORM kw_give_back_attempt(p_tenant, p_identifier_subject, p_now);
  -- FOR SHARE: whoever deactivates the user or changes the password either waits for this session and
  -- ends it with the others, or has been before and is seen here.
  PERFORM FROM users u
    JOIN user_credentials c ON c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.type = 'password'
    JOIN tenants t ON t.tenant_id = u.tenant_id AND t.is_active AND t.deleted_at IS NULL
   WHERE u.tenant_id = p_tenant AND u.id = p_user AND u.is_active AND c.secret_hash = p_secret_hash
     FOR SHARE OF u, c;
  IF NOT FOUND THEN
    outcome := 'refused';
    RETURN NEXT;
    RETURN;
  END IF;
  -- The same for whoever changes or deletes a role that the user has. Built-in ones never change.
  PERFORM FROM user_roles held JOIN roles r ON r.tenant_id = held.tenant_id AND r.name = held.role
   WHERE held.tenant_id = p_tenant AND held.user_id = p_user AND NOT r.is_builtin
     FOR SHARE OF r;
  -- And for whoever deletes the workspace: if it is gone, the login lands elsewhere.
  LOOP
    workspace_id := kw_login_workspace(p_tenant, p_user, p_workspace);
    IF workspace_id IS NULL THEN
      outcome := 'workspace_unknown';
      RETURN NEXT;
      RETURN;
    END IF;
    PERFORM FROM workspaces w WHERE w.tenant_id = p_tenant AND w.id = kw_open_session.workspace_id
        FOR KEY SHARE;
    EXIT WHEN FOUND;
  END LOOP;
  INSERT INTO sessions (
    tenant_id, id, user_id, workspace_id, user_agent, ip_address, created_at, expires_at,
    absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at
  ) VALUES (
    p_tenant, p_session, p_user, workspace_id, p_user_agent, p_ip_address, p_now, p_expires_at,
    p_absolute_expires_at, p_refresh_hash, p_refresh_kid, p_refresh_issued_at
  );
  queued := kw_record(
    p_tenant,
    jsonb_set(p_entries, '{0,details,workspace_id}', to_jsonb(workspace_id)),
    (SELECT jsonb_agg(jsonb_set(event, '{data,workspace_id}', to_jsonb(kw_open_session.workspace_id)))
       FROM jsonb_array_elements(p_events) AS event)
  );
  v_subject := kw_subject_of(p_tenant, p_user);
  outcome := 'opened';
  roles := v_subject.roles;
  scopes := v_subject.scopes;
  identifiers := v_subject.identifiers;
  RETURN NEXT;
END
$$;

-- The same for many tenants, each entered by itself, and apart from any change: what did not happen, such as a
-- login that failed. p_entries: one list for each tenant, as text.
CREATE FUNCTION kw_note(p_tenants text[], p_entries text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    -- The rows of a tenant that is being deleted go until none is left: none may come behind that.
    PERFORM FROM tenants WHERE tenant_id = p_tenants[i] AND deleted_at IS NULL FOR KEY SHARE;
    IF FOUND THEN
      PERFORM kw_record(p_tenants[i], p_entries[i]::jsonb, '[]');
    END IF;
  END LOOP;
END
$$;
