-- What keeps the hot paths as fast with ten thousand tenants as with one.

-- The same as before. Roles are joined, not looked for in an array: the plan for an array of unknown length is
-- thought to be dear once there are many roles, so that PostgreSQL made a new one for each call.
CREATE OR REPLACE FUNCTION kw_subject_of(p_tenant text, p_user text)
RETURNS kw_subject LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_subject kw_subject;
BEGIN
  v_subject.user_id := p_user;
  SELECT coalesce(array_agg(role ORDER BY role), '{}') INTO v_subject.roles
    FROM user_roles WHERE tenant_id = p_tenant AND user_id = p_user;
  SELECT coalesce(array_agg(DISTINCT scope ORDER BY scope), '{}') INTO v_subject.scopes
    FROM user_roles held
    JOIN roles r ON r.tenant_id = held.tenant_id AND r.name = held.role, unnest(r.scopes) AS scope
   WHERE held.tenant_id = p_tenant AND held.user_id = p_user;
  SELECT coalesce(jsonb_agg(jsonb_build_object(
           'type', type, 'identifier', identifier, 'verified', verified) ORDER BY position), '[]')
    INTO v_subject.identifiers
    FROM user_identifiers WHERE tenant_id = p_tenant AND user_id = p_user;
  RETURN v_subject;
END
$$;

-- The signing keys of a tenant, the one that signs last first.
CREATE FUNCTION kw_signing_keys(p_tenant text)
RETURNS SETOF signing_keys LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.* FROM signing_keys k WHERE k.tenant_id = p_tenant ORDER BY k.signs_from DESC, k.id DESC;
END
$$;

-- The data key of a tenant, as it is kept.
CREATE FUNCTION kw_data_key(p_tenant text)
RETURNS TABLE (wrapped_key bytea, master_key_id text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT k.wrapped_key, k.master_key_id FROM tenant_data_keys k WHERE k.tenant_id = p_tenant;
END
$$;

-- The list of tenants, and their number, from the index alone.
DROP INDEX tenants_by_age;
CREATE INDEX tenants_by_age ON tenants (created_at, tenant_id) WHERE deleted_at IS NULL;

-- Writes a whole tenant in one round trip: itself, its data key, first signing key, first workspace, built-in
-- roles and domains. As keywright_system. Answers created, slug_taken or domain_taken; the caller rolls back
-- unless it was created.
CREATE FUNCTION kw_create_tenant(
  p_tenant text, p_name text, p_settings jsonb, p_wrapped_key bytea, p_master_key_id text,
  p_kid text, p_public_key text, p_private_key bytea, p_roles jsonb, p_domains text[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tenants (tenant_id, name, config, branding, messaging, created_at)
  VALUES (p_tenant, p_name, p_settings -> 'config', p_settings -> 'branding', p_settings -> 'messaging', p_now)
  ON CONFLICT (tenant_id) DO NOTHING;
  IF NOT FOUND THEN
    RETURN 'slug_taken';
  END IF;
  INSERT INTO tenant_domains (tenant_id, domain)
  SELECT p_tenant, domain FROM unnest(p_domains) AS domain ON CONFLICT DO NOTHING;
  IF (SELECT count(*) FROM tenant_domains WHERE tenant_id = p_tenant) < cardinality(p_domains) THEN
    RETURN 'domain_taken';
  END IF;
  INSERT INTO tenant_data_keys (tenant_id, wrapped_key, master_key_id, created_at)
  VALUES (p_tenant, p_wrapped_key, p_master_key_id, p_now);
  INSERT INTO signing_keys (tenant_id, id, algorithm, public_key, private_key, created_at, signs_from)
  VALUES (p_tenant, p_kid, 'EdDSA', p_public_key, p_private_key, p_now, p_now);
  INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
  VALUES (p_tenant, 'ws_default', 'Default Workspace', 'default', p_now);
  INSERT INTO roles (tenant_id, name, description, scopes, is_builtin, created_at)
  SELECT p_tenant, r.name, r.description, r.scopes, true, p_now
    FROM jsonb_to_recordset(p_roles) AS r (name text, description text, scopes text[]);
  RETURN 'created';
END
$$;

-- What tokens say of a user, as a statement that others take in.
CREATE FUNCTION kw_subjects_of(p_tenant text, p_user text) RETURNS SETOF kw_subject LANGUAGE sql STABLE AS $$
  SELECT p_user,
         (SELECT coalesce(array_agg(role ORDER BY role), '{}')
            FROM user_roles WHERE tenant_id = p_tenant AND user_id = p_user),
         (SELECT coalesce(array_agg(DISTINCT scope ORDER BY scope), '{}')
            FROM user_roles held
            JOIN roles r ON r.tenant_id = held.tenant_id AND r.name = held.role, unnest(r.scopes) AS scope
           WHERE held.tenant_id = p_tenant AND held.user_id = p_user),
         (SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'type', type, 'identifier', identifier, 'verified', verified) ORDER BY position), '[]')
            FROM user_identifiers WHERE tenant_id = p_tenant AND user_id = p_user)
$$;

-- The same as before. Grants of one tenant and one kind that come one behind the other are asked for together.
CREATE OR REPLACE FUNCTION kw_live_grants(
  p_tenants text[], p_grants text[], p_versions integer[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql
-- A plan for an array of unknown length is thought to be dear: a new one would be made for each call.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_role text;
  v_active text[];
  v_tenant text;
  v_last integer;
  i integer := 1;
  v_grants text[];
  v_versions integer[];
  v_alive boolean;
  v_run text;
  v_answer text := '';
BEGIN
  -- Assigned, not performed: that takes no statement.
  v_role := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_role := set_config('role', 'keywright_tenant', true);
  WHILE i <= cardinality(p_tenants) LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    v_last := i;
    v_alive := false;
    IF v_tenant <> ALL (v_active) THEN
      v_run := '0';
    ELSIF starts_with(p_grants[i], 'session:') THEN
      WHILE v_last < cardinality(p_tenants)
        AND p_tenants[v_last + 1] = v_tenant AND starts_with(p_grants[v_last + 1], 'session:')
      LOOP
        v_last := v_last + 1;
      END LOOP;
      v_grants := p_grants[i : v_last];
      v_versions := p_versions[i : v_last];
      -- A subquery, not a join: each is looked up by the index, whatever is known of the table's size.
      SELECT string_agg(CASE WHEN (
               SELECT s.is_active AND s.access_version = asked.version
                 FROM sessions s WHERE s.tenant_id = v_tenant AND s.id = asked.id
             ) THEN '1' ELSE '0' END, '' ORDER BY asked.n)
        INTO v_run FROM unnest(v_grants, v_versions) WITH ORDINALITY AS asked (id, version, n);
    ELSE
      IF starts_with(p_grants[i], 'key_') THEN
        SELECT k.revoked_at IS NULL AND k.expires_at > p_now
           AND a.is_active AND (p_versions[i] < 0 OR a.access_version = p_versions[i]) INTO v_alive
          FROM api_keys k
          JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
         WHERE k.tenant_id = v_tenant AND k.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'dlg_') THEN
        SELECT d.revoked_at IS NULL AND d.expires_at > p_now AND d.access_version = p_versions[i]
           AND a.is_active AND u.is_active INTO v_alive
          FROM delegations d
          JOIN agents a ON a.tenant_id = d.tenant_id AND a.id = d.agent_id
          JOIN users u ON u.tenant_id = d.tenant_id AND u.id = d.user_id
         WHERE d.tenant_id = v_tenant AND d.id = p_grants[i];
      ELSIF starts_with(p_grants[i], 'service:') THEN
        SELECT a.is_active AND a.access_version = p_versions[i] INTO v_alive
          FROM agents a WHERE a.tenant_id = v_tenant AND a.id = p_grants[i];
      END IF;
      v_run := CASE WHEN v_alive THEN '1' ELSE '0' END;
    END IF;
    v_answer := v_answer || v_run;
    i := v_last + 1;
  END LOOP;
  RETURN v_answer;
END
$$;

-- The same as before, the sessions of a tenant in one statement. That costs as much as six of the others, and little
-- more with thirty.
ALTER FUNCTION kw_rotate_sessions RENAME TO kw_rotate_sessions_singly;
CREATE FUNCTION kw_rotate_sessions_together(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, user_id text,
  access_version integer, workspace_id text, roles text[], scopes text[], identifiers jsonb,
  status_idx bigint
) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
-- Sessions are locked in the order that they come in, whatever is known of the table's size.
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_role text;
  v_tenant text;
  v_first integer := 1;
  v_last integer;
  v_rotated bigint[];
BEGIN
  v_role := set_config('role', 'keywright_tenant', true);
  WHILE v_first <= cardinality(p_tenants) LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[v_first], true);
    v_last := v_first;
    WHILE v_last < cardinality(p_tenants) AND p_tenants[v_last + 1] = v_tenant LOOP
      v_last := v_last + 1;
    END LOOP;
    -- A session that two of them ask for is given to the one that comes first.
    WITH rotated AS (
      UPDATE sessions s SET
          refresh_hash = asked.next, previous_refresh_hash = asked.presented, refresh_kid = asked.kid,
          refresh_issued_at = asked.issued_at, expires_at = asked.expires_at, generation = s.generation + 1
        FROM unnest(
               p_sessions[v_first : v_last], p_presented[v_first : v_last], p_next[v_first : v_last],
               p_kids[v_first : v_last], p_issued_at[v_first : v_last], p_expires_at[v_first : v_last]
             ) WITH ORDINALITY AS asked (id, presented, next, kid, issued_at, expires_at, n)
       WHERE s.tenant_id = v_tenant AND s.id = asked.id AND s.is_active
         AND s.refresh_hash = asked.presented AND s.expires_at > asked.issued_at
         AND EXISTS (SELECT FROM tenants t WHERE t.tenant_id = v_tenant AND t.is_active AND t.deleted_at IS NULL)
      RETURNING asked.n
    )
    SELECT coalesce(array_agg(n), '{}') INTO v_rotated FROM rotated;
    -- A statement of its own: whoever takes permissions away outdates the session behind that, so that what is
    -- read once it is ours goes with its version.
    RETURN QUERY
    SELECT state.outcome, s.refresh_kid, s.refresh_hash, s.refresh_issued_at, s.expires_at, s.user_id,
           s.access_version, s.workspace_id, coalesce(subject.roles, '{}'), coalesce(subject.scopes, '{}'),
           coalesce(subject.identifiers, '[]'), CASE WHEN s.status_version = s.access_version THEN s.status_idx END
      FROM unnest(
             p_sessions[v_first : v_last], p_presented[v_first : v_last], p_issued_at[v_first : v_last],
             p_retry_seconds[v_first : v_last]
           ) WITH ORDINALITY AS asked (id, presented, issued_at, retry_seconds, n)
      LEFT JOIN sessions s ON s.tenant_id = v_tenant AND s.id = asked.id
     CROSS JOIN LATERAL (SELECT CASE
             WHEN asked.n = ANY (v_rotated) THEN 'rotated'
             WHEN s.id IS NULL OR NOT s.is_active OR s.expires_at <= asked.issued_at OR NOT EXISTS (
               SELECT FROM tenants t WHERE t.tenant_id = v_tenant AND t.is_active AND t.deleted_at IS NULL)
             THEN 'ended'
             WHEN s.previous_refresh_hash = asked.presented
              AND s.refresh_issued_at > asked.issued_at - make_interval(secs => asked.retry_seconds)
             THEN 'repeated'
             ELSE 'other'
           END AS outcome) AS state
      LEFT JOIN LATERAL kw_subjects_of(v_tenant, s.user_id) AS subject
        ON state.outcome IN ('rotated', 'repeated')
     ORDER BY asked.n;
    v_first := v_last + 1;
  END LOOP;
END
$$;

-- By the one where many come of each tenant, by the other where few do.
CREATE FUNCTION kw_rotate_sessions(
  p_tenants text[], p_sessions text[], p_presented bytea[], p_next bytea[], p_kids text[],
  p_issued_at timestamptz[], p_expires_at timestamptz[], p_retry_seconds integer[]
) RETURNS TABLE (
  outcome text, kid text, hash bytea, issued_at timestamptz, expires_at timestamptz, user_id text,
  access_version integer, workspace_id text, roles text[], scopes text[], identifiers jsonb,
  status_idx bigint
) LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(p_tenants) < 6 * (SELECT count(DISTINCT tenant) FROM unnest(p_tenants) AS tenant) THEN
    RETURN QUERY SELECT * FROM kw_rotate_sessions_singly(
      p_tenants, p_sessions, p_presented, p_next, p_kids, p_issued_at, p_expires_at, p_retry_seconds);
  ELSE
    RETURN QUERY SELECT * FROM kw_rotate_sessions_together(
      p_tenants, p_sessions, p_presented, p_next, p_kids, p_issued_at, p_expires_at, p_retry_seconds);
  END IF;
END
$$;

-- The same as before. An attempt that a crash of the database forgets is none that anybody was told of: what is
-- counted here waits for no disk.
CREATE OR REPLACE FUNCTION kw_begin_login(
  p_tenant text, p_identifier text, p_address_subject bytea, p_identifier_subject bytea,
  p_limit integer, p_window_seconds integer, p_now timestamptz
) RETURNS TABLE (retry_after integer, user_id text, is_active boolean, secret_hash text)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant), set_config('synchronous_commit', 'off', true);
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
