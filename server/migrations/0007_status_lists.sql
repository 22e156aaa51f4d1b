-- Which access tokens are revoked, for services that verify them offline (draft-ietf-oauth-status-list).
--
-- A token names a bit of its tenant's list. The bit belongs to what the token hangs on: a session, an API key or an
-- agent, each with the bit of its present access_version; a token that hangs on several grants has one of its own.
-- Triggers write down which bits are set, so that no path that ends a grant can forget it. They are deferred: the
-- number of the change is drawn at the very end of its transaction, and whoever drew one before has committed by
-- then. So changes are seen in the order of their numbers, and none appears behind a reader: see the ADR.

ALTER TABLE sessions ADD COLUMN status_idx bigint, ADD COLUMN status_version integer;
ALTER TABLE api_keys ADD COLUMN status_idx bigint, ADD COLUMN status_version integer;
ALTER TABLE agents ADD COLUMN status_idx bigint, ADD COLUMN status_version integer;

-- Which bits were never given to anybody. The first one, 0, is set from the beginning.
CREATE TABLE status_ranges (
  tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenants,
  next_idx bigint NOT NULL
);
SELECT kw_isolate('status_ranges');

-- The number of the last change. Numbers are milliseconds since the epoch, or one more than the last: they go on
-- rising after a tenant was deleted and made again under its old name.
CREATE TABLE status_positions (
  tenant_id text COLLATE "C" PRIMARY KEY REFERENCES tenants,
  version bigint NOT NULL
);
SELECT kw_isolate('status_positions');

-- Bits that are set, and by which change. They go when every token that named them has expired.
CREATE TABLE status_revocations (
  tenant_id text COLLATE "C" NOT NULL,
  idx bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (tenant_id, idx)
);
CREATE INDEX status_revocations_in_order ON status_revocations (tenant_id, version);
CREATE INDEX status_revocations_by_age ON status_revocations (version);
SELECT kw_isolate('status_revocations');

-- Bits of single tokens, and the grants that each hangs on. list_tenant_id: in whose list the bit is. That is
-- another tenant where a system administrator visits.
CREATE TABLE status_dependents (
  tenant_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  list_tenant_id text COLLATE "C" NOT NULL,
  idx bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, grant_id, list_tenant_id, idx)
);
CREATE INDEX status_dependents_by_end ON status_dependents (expires_at);
SELECT kw_isolate('status_dependents');

-- Takes so many bits that nobody has. @returns the first of them.
CREATE FUNCTION kw_take_status_range(p_tenant text, p_count integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_next bigint;
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Not waited for: what names these bits is written later, so it is not on the disk without this.
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO status_ranges AS r VALUES (p_tenant, 1 + p_count)
  ON CONFLICT (tenant_id) DO UPDATE SET next_idx = r.next_idx + p_count
  RETURNING next_idx INTO v_next;
  RETURN v_next - p_count;
END
$$;

-- The number of the last change of a tenant that has been entered; of one that had none, when it was made.
CREATE FUNCTION kw_status_version(p_tenant text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT version FROM status_positions WHERE tenant_id = p_tenant),
    (SELECT floor(extract(epoch FROM created_at) * 1000)::bigint FROM tenants WHERE tenant_id = p_tenant))
$$;

-- Sets bits of a tenant's list. To be called at the end of a transaction: from here on no other change of the
-- tenant gets a number until this one has committed. Of a tenant that is being deleted nothing is told any more: its
-- rows go until none is left, and none may come behind that.
CREATE FUNCTION kw_revoke_bits(p_tenant text, p_indexes bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_version bigint;
BEGIN
  PERFORM set_config('keywright.tenant_id', p_tenant, true);
  IF current_setting('keywright.status_tenant', true) = p_tenant THEN
    v_version := current_setting('keywright.status_version')::bigint;
  ELSE
    PERFORM FROM tenants WHERE tenant_id = p_tenant AND deleted_at IS NULL FOR KEY SHARE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    v_version := greatest(
      kw_status_version(p_tenant) + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
    INSERT INTO status_positions AS p VALUES (p_tenant, v_version)
    ON CONFLICT (tenant_id) DO UPDATE SET version = greatest(p.version + 1, v_version)
    RETURNING version INTO v_version;
    PERFORM set_config('keywright.status_tenant', p_tenant, true);
    PERFORM set_config('keywright.status_version', v_version::text, true);
    -- The nodes hear of it with the commit.
    PERFORM pg_notify('keywright_status', p_tenant);
  END IF;
  INSERT INTO status_revocations (tenant_id, idx, version)
  SELECT p_tenant, idx, v_version FROM unnest(p_indexes) AS idx
  ON CONFLICT DO NOTHING;
END
$$;

-- Sets the bits of these grants, and those of the tokens that hang on them together with others.
CREATE FUNCTION kw_revoke_grants(p_tenant text, p_grants text[], p_indexes bigint[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_own bigint[];
  v_lists text[];
  v_list text;
  v_indexes bigint[];
BEGIN
  PERFORM set_config('keywright.tenant_id', p_tenant, true);
  SELECT array_agg(idx) INTO v_own FROM (
    SELECT idx FROM unnest(p_indexes) AS idx WHERE idx IS NOT NULL
    UNION
    SELECT d.idx FROM status_dependents d
     WHERE d.tenant_id = p_tenant AND d.grant_id = ANY (p_grants) AND d.list_tenant_id = p_tenant
  ) AS own;
  -- Always in this order: two of these can't wait for each other.
  SELECT array_agg(DISTINCT d.list_tenant_id ORDER BY d.list_tenant_id) INTO v_lists
    FROM status_dependents d
   WHERE d.tenant_id = p_tenant AND d.grant_id = ANY (p_grants) AND d.list_tenant_id <> p_tenant;
  IF v_own IS NOT NULL THEN
    PERFORM kw_revoke_bits(p_tenant, v_own);
  END IF;
  FOREACH v_list IN ARRAY coalesce(v_lists, '{}') LOOP
    PERFORM set_config('keywright.tenant_id', p_tenant, true);
    SELECT array_agg(DISTINCT d.idx) INTO v_indexes FROM status_dependents d
     WHERE d.tenant_id = p_tenant AND d.grant_id = ANY (p_grants) AND d.list_tenant_id = v_list;
    PERFORM kw_revoke_bits(v_list, v_indexes);
  END LOOP;
END
$$;

-- A session that ended, or that gives something else from now on.
CREATE FUNCTION kw_revoke_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], ARRAY[OLD.status_idx]);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active, access_version ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND (NOT NEW.is_active OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_session();
CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND OLD.absolute_expires_at > now())
  EXECUTE FUNCTION kw_revoke_session();

-- A key that ended. One that was given an earlier end in the future outlives what it was traded for before: a key
-- that was rotated stays for a day at the least, and no token lives longer.
CREATE FUNCTION kw_revoke_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.revoked_at IS NOT NULL OR NEW.expires_at <= now() THEN
    PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], ARRAY[OLD.status_idx]);
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF revoked_at, expires_at ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (NEW.revoked_at IS NOT NULL OR NEW.expires_at < OLD.expires_at))
  EXECUTE FUNCTION kw_revoke_api_key();
CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.revoked_at IS NULL)
  EXECUTE FUNCTION kw_revoke_api_key();

-- A delegation that ended, gives something else, or had to make room for another one.
CREATE FUNCTION kw_revoke_delegation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY[OLD.id], '{}');
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF id, revoked_at, access_version ON delegations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (NEW.revoked_at IS NOT NULL OR NEW.id <> OLD.id
        OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_delegation();
CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON delegations
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.revoked_at IS NULL)
  EXECUTE FUNCTION kw_revoke_delegation();

-- An agent that ended, is inactive, or gives something else: with it go its keys, and what was delegated to it.
CREATE FUNCTION kw_revoke_agent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_grants text[];
  v_indexes bigint[];
BEGIN
  PERFORM set_config('keywright.tenant_id', OLD.tenant_id, true);
  SELECT array_agg(k.id), array_agg(k.status_idx) INTO v_grants, v_indexes
    FROM api_keys k WHERE k.tenant_id = OLD.tenant_id AND k.agent_id = OLD.id AND k.revoked_at IS NULL;
  v_grants := v_grants || ARRAY(
    SELECT d.id FROM delegations d
     WHERE d.tenant_id = OLD.tenant_id AND d.agent_id = OLD.id AND d.revoked_at IS NULL);
  PERFORM kw_revoke_grants(OLD.tenant_id, v_grants, v_indexes || OLD.status_idx);
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active, access_version ON agents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.is_active AND (NOT NEW.is_active OR NEW.access_version <> OLD.access_version))
  EXECUTE FUNCTION kw_revoke_agent();
CREATE CONSTRAINT TRIGGER revoke_on_delete AFTER DELETE ON agents
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_active)
  EXECUTE FUNCTION kw_revoke_agent();

-- A user who was switched off. Whoever did it has ended the sessions; here go those that were left.
CREATE FUNCTION kw_revoke_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('keywright.tenant_id', OLD.tenant_id, true);
  UPDATE sessions SET is_active = false, end_reason = 'deactivated'
   WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND is_active;
  PERFORM kw_revoke_grants(OLD.tenant_id, ARRAY(
    SELECT d.id FROM delegations d
     WHERE d.tenant_id = OLD.tenant_id AND d.user_id = OLD.id AND d.revoked_at IS NULL), '{}');
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER revoke_on_update AFTER UPDATE OF is_active ON users
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active)
  EXECUTE FUNCTION kw_revoke_user();

-- Before they are deleted, what hangs on users and agents ends in its own right: the cascade that takes the rows away
-- works as the owner of the tables, whom row-level security lets write nothing.
CREATE FUNCTION kw_end_before_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'users' THEN
    UPDATE sessions SET is_active = false
     WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND is_active;
    UPDATE delegations SET revoked_at = now()
     WHERE tenant_id = OLD.tenant_id AND user_id = OLD.id AND revoked_at IS NULL;
  ELSE
    UPDATE api_keys SET revoked_at = now()
     WHERE tenant_id = OLD.tenant_id AND agent_id = OLD.id AND revoked_at IS NULL;
    UPDATE delegations SET revoked_at = now()
     WHERE tenant_id = OLD.tenant_id AND agent_id = OLD.id AND revoked_at IS NULL;
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER end_before_delete BEFORE DELETE ON users
  FOR EACH ROW EXECUTE FUNCTION kw_end_before_delete();
CREATE TRIGGER end_before_delete BEFORE DELETE ON agents
  FOR EACH ROW EXECUTE FUNCTION kw_end_before_delete();

-- The bit of a grant's tokens at a version: the one that it has, else the candidate, which it then has. NULL when the
-- grant is over or gives something else by now. Whoever changes the grant waits, and sets the bit; or was here first.
CREATE FUNCTION kw_name_bit(
  p_tenant text, p_grant text, p_version integer, p_candidate bigint, p_now timestamptz
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_idx bigint;
BEGIN
  PERFORM kw_enter(p_tenant);
  IF starts_with(p_grant, 'session:') THEN
    UPDATE sessions s SET
        status_idx = CASE WHEN s.status_version = p_version THEN s.status_idx ELSE p_candidate END,
        status_version = p_version
      WHERE s.tenant_id = p_tenant AND s.id = p_grant AND s.is_active AND s.access_version = p_version
      RETURNING s.status_idx INTO v_idx;
  ELSIF starts_with(p_grant, 'key_') THEN
    SELECT k.status_idx INTO v_idx
      FROM api_keys k JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
     WHERE k.tenant_id = p_tenant AND k.id = p_grant AND k.revoked_at IS NULL
       AND k.status_version = p_version AND a.access_version = p_version AND a.is_active;
    IF v_idx IS NULL THEN
      PERFORM FROM agents a JOIN api_keys k ON k.tenant_id = a.tenant_id AND k.agent_id = a.id
       WHERE k.tenant_id = p_tenant AND k.id = p_grant AND a.is_active AND a.access_version = p_version
         FOR SHARE OF a;
      IF FOUND THEN
        UPDATE api_keys k SET
            status_idx = CASE WHEN k.status_version = p_version THEN k.status_idx ELSE p_candidate END,
            status_version = p_version
          WHERE k.tenant_id = p_tenant AND k.id = p_grant
            AND k.revoked_at IS NULL AND k.expires_at > p_now
          RETURNING k.status_idx INTO v_idx;
      END IF;
    END IF;
  ELSE
    SELECT a.status_idx INTO v_idx FROM agents a
     WHERE a.tenant_id = p_tenant AND a.id = p_grant AND a.is_active
       AND a.status_version = p_version AND a.access_version = p_version;
    IF v_idx IS NULL THEN
      UPDATE agents a SET
          status_idx = CASE WHEN a.status_version = p_version THEN a.status_idx ELSE p_candidate END,
          status_version = p_version
        WHERE a.tenant_id = p_tenant AND a.id = p_grant AND a.is_active AND a.access_version = p_version
        RETURNING a.status_idx INTO v_idx;
    END IF;
  END IF;
  RETURN v_idx;
END
$$;

-- Hangs a bit of a list on several grants of a tenant, of which each has to be alive at its version (a negative one:
-- at any). False when one is not, and the bit is nobody's. Rows are locked in the order that whoever ends several
-- grants locks them in.
CREATE FUNCTION kw_hang_bit(
  p_tenant text, p_grants text[], p_versions integer[], p_list_tenant text, p_idx bigint,
  p_expires_at timestamptz, p_now timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  PERFORM FROM users u WHERE u.tenant_id = p_tenant AND u.id IN (
      SELECT d.user_id FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants))
    ORDER BY u.id FOR SHARE;
  PERFORM FROM agents a WHERE a.tenant_id = p_tenant AND a.id IN (
      SELECT d.agent_id FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants)
      UNION
      SELECT k.agent_id FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = ANY (p_grants))
    ORDER BY a.id FOR SHARE;
  PERFORM FROM sessions s WHERE s.tenant_id = p_tenant AND s.id = ANY (p_grants) ORDER BY s.id FOR SHARE;
  PERFORM FROM api_keys k WHERE k.tenant_id = p_tenant AND k.id = ANY (p_grants) ORDER BY k.id FOR SHARE;
  PERFORM FROM delegations d WHERE d.tenant_id = p_tenant AND d.id = ANY (p_grants) ORDER BY d.id FOR SHARE;
  IF kw_live_grants(array_fill(p_tenant, ARRAY[cardinality(p_grants)]), p_grants, p_versions, p_now)
       <> repeat('1', cardinality(p_grants)) THEN
    RETURN false;
  END IF;
  INSERT INTO status_dependents (tenant_id, grant_id, list_tenant_id, idx, expires_at)
  SELECT p_tenant, id, p_list_tenant, p_idx, p_expires_at FROM unnest(p_grants) AS id
  ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;

-- Of these tenants, those that have changes after the version that the caller has, or of which the caller has none
-- (NULL): their place among the arrays from 0, the present version, and the bits that were set since; NULL when
-- these are more than so many. Many tenants in one round trip, each looked up as itself.
CREATE FUNCTION kw_status_changes(p_tenants text[], p_after bigint[], p_most integer)
RETURNS TABLE (place integer, version bigint, indexes bigint[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    version := kw_status_version(p_tenants[i]);
    IF version > coalesce(p_after[i], 0) THEN
      place := i - 1;
      SELECT coalesce(array_agg(found.idx), '{}') INTO indexes FROM (
        SELECT r.idx FROM status_revocations r
         WHERE r.tenant_id = p_tenants[i]
           AND r.version > p_after[i] AND r.version <= kw_status_changes.version
         LIMIT p_most + 1) AS found;
      IF cardinality(indexes) > p_most THEN
        indexes := NULL;
      END IF;
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;

-- A part of a tenant's list: which of its bits are set, counted from its first, and as of which version. Nothing of
-- a part that no bit was ever given out of.
CREATE FUNCTION kw_status_list(p_tenant text, p_first bigint, p_end bigint)
RETURNS TABLE (version bigint, indexes integer[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  IF p_first > 0 AND NOT EXISTS (
    SELECT FROM status_ranges r WHERE r.tenant_id = p_tenant AND r.next_idx > p_first) THEN
    RETURN;
  END IF;
  version := kw_status_version(p_tenant);
  SELECT coalesce(array_agg((r.idx - p_first)::integer), '{}') INTO indexes
    FROM status_revocations r
   WHERE r.tenant_id = p_tenant AND r.idx >= p_first AND r.idx < p_end
     AND r.version <= kw_status_list.version;
  RETURN NEXT;
END
$$;

-- The same as before; the bit that the session's tokens name comes with it.
DROP FUNCTION kw_open_session;
CREATE FUNCTION kw_open_session(
  p_tenant text, p_session text, p_user text, p_secret_hash text, p_workspace text,
  p_user_agent text, p_ip_address text, p_now timestamptz, p_expires_at timestamptz,
  p_absolute_expires_at timestamptz, p_refresh_hash bytea, p_refresh_kid text,
  p_refresh_issued_at timestamptz, p_address_subject bytea, p_identifier_subject bytea,
  p_entries jsonb, p_events jsonb, p_status_idx bigint
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
    absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, status_idx, status_version
  ) VALUES (
    p_tenant, p_session, p_user, workspace_id, p_user_agent, p_ip_address, p_now, p_expires_at,
    p_absolute_expires_at, p_refresh_hash, p_refresh_kid, p_refresh_issued_at, p_status_idx, 0
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

-- The same as before, and which bit the tokens of a session name: NULL when it has none of its present version.
DROP FUNCTION kw_rotate_sessions;
CREATE FUNCTION kw_rotate_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, user_id text,
  access_version integer, workspace_id text, roles text[], scopes text[], identifiers jsonb,
  status_idx bigint
) LANGUAGE plpgsql AS $$
DECLARE
  v_row sessions;
  v_subject kw_subject;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE sessions s SET
        refresh_hash = p_next[i], previous_refresh_hash = p_presented[i], refresh_kid = p_kids[i],
        refresh_issued_at = p_issued_at[i], expires_at = p_expires_at[i], generation = generation + 1
      WHERE s.tenant_id = p_tenants[i] AND s.id = p_sessions[i] AND s.is_active
        AND s.refresh_hash = p_presented[i] AND s.expires_at > p_issued_at[i]
        AND EXISTS (SELECT FROM tenants t WHERE t.tenant_id = p_tenants[i] AND t.is_active AND t.deleted_at IS NULL)
      RETURNING * INTO v_row;
    IF FOUND THEN
      outcome := 'rotated';
    ELSE
      SELECT * INTO v_row FROM sessions s WHERE s.tenant_id = p_tenants[i] AND s.id = p_sessions[i];
      outcome := CASE
        WHEN v_row.id IS NULL OR NOT v_row.is_active OR v_row.expires_at <= p_issued_at[i] OR NOT EXISTS (
          SELECT FROM tenants t WHERE t.tenant_id = p_tenants[i] AND t.is_active AND t.deleted_at IS NULL)
        THEN 'ended'
        WHEN v_row.previous_refresh_hash = p_presented[i]
         AND v_row.refresh_issued_at > p_issued_at[i] - make_interval(secs => p_retry_seconds[i])
        THEN 'repeated'
        ELSE 'other'
      END;
    END IF;
    kid := v_row.refresh_kid;
    hash := v_row.refresh_hash;
    issued_at := v_row.refresh_issued_at;
    expires_at := v_row.expires_at;
    user_id := v_row.user_id;
    access_version := v_row.access_version;
    workspace_id := v_row.workspace_id;
    status_idx := CASE WHEN v_row.status_version = v_row.access_version THEN v_row.status_idx END;
    IF outcome IN ('rotated', 'repeated') THEN
      v_subject := kw_subject_of(p_tenants[i], v_row.user_id);
      roles := v_subject.roles;
      scopes := v_subject.scopes;
      identifiers := v_subject.identifiers;
    ELSE
      roles := '{}';
      scopes := '{}';
      identifiers := '[]';
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;
