-- Functions for the paths that every request takes: one round trip each, under row-level security.

-- From here to the end of the transaction the statement works as one tenant.
CREATE FUNCTION kw_enter(p_tenant text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('keywright.tenant_id', p_tenant, true);
  PERFORM set_config('role', 'keywright_tenant', true);
END
$$;

-- The tenant with this id, or the one that this domain belongs to.
CREATE FUNCTION kw_resolve_tenant(p_id text, p_domain text)
RETURNS SETOF tenants LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_resolver', true);
  IF p_id IS NOT NULL THEN
    RETURN QUERY SELECT t.* FROM tenants t WHERE t.tenant_id = p_id AND t.deleted_at IS NULL;
  ELSE
    RETURN QUERY SELECT t.* FROM tenant_domains d JOIN tenants t USING (tenant_id) 
     WHERE d.domain = p_domain AND t.deleted_at IS NULL;
  END IF;
END
$$;

-- Which of these sessions are alive and still give what their access tokens say: one '1' or '0' each, in
-- their order. Many tenants in one round trip, each looked up as itself.
CREATE FUNCTION kw_live_sessions(p_tenants text[], p_sessions text[], p_versions integer[])
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_answer text := '';
  v_alive boolean;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    SELECT s.is_active AND s.access_version = p_versions[i]
       AND t.is_active AND t.deleted_at IS NULL INTO v_alive
      FROM sessions s JOIN tenants t ON t.tenant_id = s.tenant_id
     WHERE s.tenant_id = p_tenants[i] AND s.id = p_sessions[i];
    v_answer := v_answer || CASE WHEN v_alive THEN '1' ELSE '0' END;
    v_alive := NULL;
  END LOOP;
  RETURN v_answer;
END
$$;

-- What a token says of a user. The caller has entered the tenant.
CREATE TYPE kw_subject AS (user_id text, roles text[], scopes text[], identifiers jsonb);

CREATE FUNCTION kw_subject_of(p_tenant text, p_user text) RETURNS kw_subject LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_subject kw_subject;
BEGIN
  v_subject.user_id := p_user;
  SELECT coalesce(array_agg(role ORDER BY role), '{}') INTO v_subject.roles
    FROM user_roles WHERE tenant_id = p_tenant AND user_id = p_user;
  SELECT coalesce(array_agg(DISTINCT scope ORDER BY scope), '{}') INTO v_subject.scopes
    FROM roles r, unnest(r.scopes) AS scope
   WHERE r.tenant_id = p_tenant AND r.name = ANY (v_subject.roles);
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'type', type, 'identifier', identifier, 'verified', verified) ORDER BY position), '[]')
    INTO v_subject.identifiers
    FROM user_identifiers WHERE tenant_id = p_tenant AND user_id = p_user;
  RETURN v_subject;
END
$$;

-- Counts one attempt of a subject within its window. NULL: admitted. Otherwise: seconds to wait.
-- One conditional statement decides, so that no number of parallel attempts gets past the limit.
CREATE FUNCTION kw_count_attempt(
  p_tenant text, p_subject bytea, p_limit integer, p_window_seconds integer, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_ends_at timestamptz := p_now + make_interval(secs => p_window_seconds);
BEGIN
  INSERT INTO login_attempts AS a VALUES (p_tenant, p_subject, p_now, v_ends_at, 1)
  ON CONFLICT (tenant_id, subject) DO UPDATE SET
    attempts = CASE WHEN a.window_ends_at <= p_now THEN 1 ELSE a.attempts + 1 END,
    window_started_at = CASE WHEN a.window_ends_at <= p_now THEN p_now ELSE a.window_started_at END,
    window_ends_at = CASE WHEN a.window_ends_at <= p_now THEN v_ends_at ELSE a.window_ends_at END
  WHERE a.window_ends_at <= p_now OR a.attempts < p_limit;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT greatest(1, ceil(extract(epoch FROM window_ends_at - p_now)))
            FROM login_attempts WHERE tenant_id = p_tenant AND subject = p_subject);
END
$$;

-- An attempt that succeeded is given back.
CREATE FUNCTION kw_give_back_attempt(p_tenant text, p_subject bytea, p_now timestamptz)
RETURNS void LANGUAGE sql AS $$
  UPDATE login_attempts SET attempts = attempts - 1
   WHERE tenant_id = p_tenant AND subject = p_subject AND attempts > 0 AND window_ends_at > p_now
$$;

-- Before a hash is spent: count the attempt by address and by identifier, and find whom it is for.
-- A known, an unknown and an inactive user cost the same statements.
CREATE FUNCTION kw_begin_login(
  p_tenant text, p_identifier text, p_address_subject bytea, p_identifier_subject bytea,
  p_limit integer, p_window_seconds integer, p_now timestamptz
) RETURNS TABLE (retry_after integer, user_id text, is_active boolean, secret_hash text)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  -- Always in this order: two logins can't wait for each other.
  retry_after := kw_count_attempt(p_tenant, p_address_subject, p_limit, p_window_seconds, p_now);
  IF retry_after IS NULL THEN
    retry_after := kw_count_attempt(p_tenant, p_identifier_subject, p_limit, p_window_seconds, p_now);
  END IF;
  IF retry_after IS NULL THEN
    SELECT u.id, u.is_active, c.secret_hash INTO user_id, is_active, secret_hash
      FROM user_identifiers i
      JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id
      LEFT JOIN user_credentials c
        ON c.tenant_id = i.tenant_id AND c.user_id = i.user_id AND c.type = 'password'
     WHERE i.tenant_id = p_tenant AND i.identifier = p_identifier;
  END IF;
  RETURN NEXT;
END
$$;

-- After the password was right: open the session, unless the user was deactivated or the password was
-- changed while the hash was computed.
CREATE FUNCTION kw_open_session(
  p_tenant text, p_session text, p_user text, p_secret_hash text, p_workspace text,
  p_user_agent text, p_ip_address text, p_now timestamptz, p_expires_at timestamptz,
  p_absolute_expires_at timestamptz, p_refresh_hash bytea, p_refresh_kid text,
  p_refresh_issued_at timestamptz, p_address_subject bytea, p_identifier_subject bytea
) RETURNS TABLE (
  outcome text, workspace_id text, roles text[], scopes text[], identifiers jsonb
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
  v_subject := kw_subject_of(p_tenant, p_user);
  outcome := 'opened';
  roles := v_subject.roles;
  scopes := v_subject.scopes;
  identifiers := v_subject.identifiers;
  RETURN NEXT;
END
$$;

-- The workspace that a login lands in: the one asked for, else the user's first, else ws_default.
-- NULL when the one asked for is not the user's.
CREATE FUNCTION kw_login_workspace(p_tenant text, p_user text, p_asked text)
RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_workspace text;
BEGIN
  SELECT m.workspace_id INTO v_workspace
    FROM workspace_members m
    JOIN workspaces w ON w.tenant_id = m.tenant_id AND w.id = m.workspace_id AND w.is_active
   WHERE m.tenant_id = p_tenant AND m.user_id = p_user
     AND (p_asked IS NULL OR m.workspace_id = p_asked)
   ORDER BY m.position LIMIT 1;
  IF v_workspace IS NULL AND coalesce(p_asked, 'ws_default') = 'ws_default' THEN
    RETURN 'ws_default';
  END IF;
  RETURN v_workspace;
END
$$;

-- Trades refresh tokens for their successors, many sessions in one commit. The elements come sorted by
-- tenant and session, so that two of these never wait for each other in a circle. Per element:
--   rotated    the token was the current one; its successor is now
--   repeated   the token was traded less than the retry window ago and its successor is still unused:
--              the stored fields say how that successor was minted
--   other      the session is alive, but this is not a token it would take: forged or reused
--   ended      there is no such living session
CREATE FUNCTION kw_rotate_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, user_id text,
  access_version integer, workspace_id text, roles text[], scopes text[], identifiers jsonb
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
      RETURNING * INTO v_row;
    IF FOUND THEN
      outcome := 'rotated';
    ELSE
      SELECT * INTO v_row FROM sessions s WHERE s.tenant_id = p_tenants[i] AND s.id = p_sessions[i];
      outcome := CASE
        WHEN v_row.id IS NULL OR NOT v_row.is_active OR v_row.expires_at <= p_issued_at[i] THEN 'ended'
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

-- The same count for what is no login: entered, one subject.
CREATE FUNCTION kw_admit_attempt(
  p_tenant text, p_subject bytea, p_limit integer, p_window_seconds integer, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN kw_count_attempt(p_tenant, p_subject, p_limit, p_window_seconds, p_now);
END
$$;

CREATE FUNCTION kw_give_back(p_tenant text, p_subject bytea, p_now timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  PERFORM kw_give_back_attempt(p_tenant, p_subject, p_now);
END
$$;

-- One user as a list of users shows them.
CREATE FUNCTION kw_find_user(p_tenant text, p_user text) RETURNS TABLE (
  id text, tenant_id text, is_active boolean, metadata jsonb, created_at timestamptz(3),
  identifiers jsonb, roles text[], workspaces text[]
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT u.id, u.tenant_id, u.is_active, u.metadata, u.created_at,
         (SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'type', i.type, 'identifier', i.identifier, 'verified', i.verified)
                   ORDER BY i.position), '[]')
            FROM user_identifiers i WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id),
         ARRAY(SELECT r.role FROM user_roles r
                WHERE r.tenant_id = u.tenant_id AND r.user_id = u.id ORDER BY r.role),
         ARRAY(SELECT m.workspace_id FROM workspace_members m
                WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id ORDER BY m.position)
    FROM users u WHERE u.tenant_id = p_tenant AND u.id = p_user;
END
$$;
