-- Agents, their API keys, and the grants by which they act for users.

CREATE TABLE agents (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- The user who answers for the agent. It outlives them.
  owner_id text COLLATE "C",
  -- Public keys that the agent signs its assertions with (RFC 7523), and outside issuers whose tokens stand for it.
  jwks jsonb,
  trusts jsonb NOT NULL DEFAULT '[]',
  -- Goes up when the agent may do less, or in other ways: its tokens of before are refused.
  access_version integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces
);
CREATE INDEX agents_by_age ON agents (tenant_id, created_at, id);
CREATE INDEX agents_by_owner ON agents (tenant_id, owner_id, id);
CREATE INDEX agents_by_workspace ON agents (tenant_id, workspace_id);
SELECT kw_isolate('agents');

CREATE TABLE api_keys (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- SHA-256 of the whole key; the first characters of the key, to know it by.
  secret_hash bytea NOT NULL,
  prefix text NOT NULL,
  -- NULL: all that the agent has; from anywhere.
  scopes text[],
  allowed_ips text[],
  created_by text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text,
  -- The key that took its place when it was rotated.
  successor_id text COLLATE "C",
  -- What each use of the key asks about its agent, kept by triggers: one row is looked up, not two. The version
  -- goes up with every change of the agent's row.
  agent_is_active boolean NOT NULL DEFAULT false,
  agent_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, secret_hash),
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
)
-- Room for a new version on the page: only last_used_at changes often, and no index has it.
WITH (fillfactor = 80);
CREATE INDEX api_keys_by_age ON api_keys (tenant_id, created_at, id);
-- Whoever finds a key does not know its tenant.
CREATE INDEX api_keys_by_hash ON api_keys (secret_hash);
CREATE INDEX api_keys_by_agent ON api_keys (tenant_id, agent_id, created_at, id);
SELECT kw_isolate('api_keys');

-- FOR SHARE: whoever deactivates the agent either waits for the new key and tells it too, or has been before.
CREATE FUNCTION kw_copy_agent_to_new_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.is_active INTO NEW.agent_is_active
    FROM agents a WHERE a.tenant_id = NEW.tenant_id AND a.id = NEW.agent_id FOR SHARE;
  NEW.agent_is_active := coalesce(NEW.agent_is_active, false);
  RETURN NEW;
END
$$;
CREATE TRIGGER copy_agent BEFORE INSERT ON api_keys
  FOR EACH ROW EXECUTE FUNCTION kw_copy_agent_to_new_key();

CREATE FUNCTION kw_copy_agent_to_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys k SET agent_is_active = NEW.is_active, agent_version = k.agent_version + 1
   WHERE k.tenant_id = NEW.tenant_id AND k.agent_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER copy_to_keys AFTER UPDATE ON agents
  FOR EACH ROW EXECUTE FUNCTION kw_copy_agent_to_keys();

-- What a user lets an agent do in their name (RFC 8693).
CREATE TABLE delegations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoke_reason text,
  -- Goes up when what the user or the agent may do changes.
  access_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  -- The newest takes the place of the one before.
  UNIQUE (tenant_id, user_id, agent_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
);
CREATE INDEX delegations_by_end ON delegations (expires_at);
CREATE INDEX delegations_by_user ON delegations (tenant_id, user_id, created_at, id);
CREATE INDEX delegations_by_agent ON delegations (tenant_id, agent_id, created_at, id);
SELECT kw_isolate('delegations');

-- Assertions that were traded for a token, until they expire: each is good once (RFC 7523 §3).
CREATE TABLE spent_assertions (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of who made it and its jti.
  id bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX spent_assertions_by_end ON spent_assertions (expires_at);
SELECT kw_isolate('spent_assertions');

-- Which of these grants are alive and still give what the access tokens issued under them say: one '1' or '0'
-- each, in their order. A grant is a session, an API key, a delegation, or an agent itself; its id tells which.
-- A key of which no version is asked (a negative one) only has to be good.
-- Many tenants in one round trip, each looked up as itself.
DROP FUNCTION kw_live_sessions;
CREATE FUNCTION kw_live_grants(
  p_tenants text[], p_grants text[], p_versions integer[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_answer text := '';
  v_alive boolean;
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    v_alive := false;
    IF starts_with(p_grants[i], 'session:') THEN
      SELECT s.is_active AND s.access_version = p_versions[i]
         AND t.is_active AND t.deleted_at IS NULL INTO v_alive
        FROM sessions s JOIN tenants t ON t.tenant_id = s.tenant_id
       WHERE s.tenant_id = p_tenants[i] AND s.id = p_grants[i];
    ELSIF starts_with(p_grants[i], 'key_') THEN
      SELECT k.revoked_at IS NULL AND k.expires_at > p_now
         AND a.is_active AND (p_versions[i] < 0 OR a.access_version = p_versions[i])
         AND t.is_active AND t.deleted_at IS NULL INTO v_alive
        FROM api_keys k
        JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
        JOIN tenants t ON t.tenant_id = k.tenant_id
       WHERE k.tenant_id = p_tenants[i] AND k.id = p_grants[i];
    ELSIF starts_with(p_grants[i], 'dlg_') THEN
      SELECT d.revoked_at IS NULL AND d.expires_at > p_now AND d.access_version = p_versions[i]
         AND a.is_active AND u.is_active
         AND t.is_active AND t.deleted_at IS NULL INTO v_alive
        FROM delegations d
        JOIN agents a ON a.tenant_id = d.tenant_id AND a.id = d.agent_id
        JOIN users u ON u.tenant_id = d.tenant_id AND u.id = d.user_id
        JOIN tenants t ON t.tenant_id = d.tenant_id
       WHERE d.tenant_id = p_tenants[i] AND d.id = p_grants[i];
    ELSIF starts_with(p_grants[i], 'service:') THEN
      SELECT a.is_active AND a.access_version = p_versions[i]
         AND t.is_active AND t.deleted_at IS NULL INTO v_alive
        FROM agents a JOIN tenants t ON t.tenant_id = a.tenant_id
       WHERE a.tenant_id = p_tenants[i] AND a.id = p_grants[i];
    END IF;
    v_answer := v_answer || CASE WHEN v_alive THEN '1' ELSE '0' END;
  END LOOP;
  RETURN v_answer;
END
$$;

-- Which version there is of each of these keys and its agent, each followed by a comma, in their order; nothing
-- of a key that is not good at this moment. The keys of a tenant stand together, and are looked up as that tenant;
-- p_counts says how many each has. Which of the tenants are active is asked at once.
CREATE FUNCTION kw_find_api_keys(
  p_tenants text[], p_counts integer[], p_hashes bytea[], p_now timestamptz
) RETURNS text LANGUAGE plpgsql
-- A plan for an array of unknown length is thought to be dear: a new one would be made for each call.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_role text;
  v_answer text := '';
  v_active text[];
  v_tenant text;
  v_from integer := 1;
  v_hash bytea;
  v_hashes bytea[];
  v_versions text;
BEGIN
  -- Assigned, not performed: that takes no statement.
  v_role := set_config('role', 'keywright_resolver', true);
  SELECT coalesce(array_agg(t.tenant_id), '{}') INTO v_active
    FROM tenants t WHERE t.tenant_id = ANY (p_tenants) AND t.is_active AND t.deleted_at IS NULL;
  v_role := set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    v_tenant := set_config('keywright.tenant_id', p_tenants[i], true);
    IF v_tenant <> ALL (v_active) THEN
      v_versions := repeat(',', p_counts[i] - 1);
    ELSIF p_counts[i] = 1 THEN
      v_hash := p_hashes[v_from];
      SELECT CASE WHEN k.successor_id IS NULL THEN k.agent_version::text ELSE k.agent_version || 'r' END INTO v_versions
        FROM api_keys k
       WHERE k.tenant_id = v_tenant AND k.secret_hash = v_hash
         AND k.revoked_at IS NULL AND k.expires_at > p_now AND k.agent_is_active;
    ELSE
      v_hashes := p_hashes[v_from : v_from + p_counts[i] - 1];
      -- A subquery, not a join: each key is looked up by the index, whatever is known of the table's size.
      SELECT string_agg(coalesce((
               SELECT CASE WHEN k.successor_id IS NULL THEN k.agent_version::text ELSE k.agent_version || 'r' END
                 FROM api_keys k
                WHERE k.tenant_id = v_tenant AND k.secret_hash = asked.hash
                  AND k.revoked_at IS NULL AND k.expires_at > p_now AND k.agent_is_active), ''),
             ',' ORDER BY asked.n)
        INTO v_versions FROM unnest(v_hashes) WITH ORDINALITY AS asked (hash, n);
    END IF;
    v_from := v_from + p_counts[i];
    v_answer := v_answer || coalesce(v_versions, '') || ',';
  END LOOP;
  RETURN v_answer;
END
$$;

-- A key and its agent, with the version that they are of.
CREATE FUNCTION kw_read_api_key(p_tenant text, p_hash bytea) RETURNS TABLE (
  version text, key_id text, key_scopes text[], allowed_ips text[], key_created_at timestamptz(3),
  expires_at timestamptz, id text, tenant_id text, workspace_id text, name text, description text,
  scopes text[], owner_id text, jwks jsonb, trusts jsonb, is_active boolean, created_at timestamptz(3),
  access_version integer
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM kw_enter(p_tenant);
  RETURN QUERY
  SELECT CASE WHEN k.successor_id IS NULL THEN k.agent_version::text ELSE k.agent_version || 'r' END, k.id,
         k.scopes, k.allowed_ips, k.created_at, k.expires_at, a.id, a.tenant_id, a.workspace_id, a.name,
         a.description, a.scopes, a.owner_id, a.jwks, a.trusts, a.is_active, a.created_at, a.access_version
    FROM api_keys k JOIN agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
   WHERE k.tenant_id = p_tenant AND k.secret_hash = p_hash;
END
$$;

-- When keys were last used. One that somebody else is changing is left out: nobody waits for this.
CREATE FUNCTION kw_note_key_uses(p_tenants text[], p_keys text[], p_minutes timestamptz[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('role', 'keywright_tenant', true);
  FOR i IN 1 .. cardinality(p_tenants) LOOP
    PERFORM set_config('keywright.tenant_id', p_tenants[i], true);
    UPDATE api_keys SET last_used_at = p_minutes[i]
     WHERE tenant_id = p_tenants[i] AND id = (
       SELECT k.id FROM api_keys k
        WHERE k.tenant_id = p_tenants[i] AND k.id = p_keys[i]
          AND (k.last_used_at IS NULL OR k.last_used_at < p_minutes[i])
          FOR NO KEY UPDATE SKIP LOCKED);
  END LOOP;
END
$$;
