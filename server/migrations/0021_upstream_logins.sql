-- Logins at identity providers.

-- The active ones, as login pages show them: [{id, type, name}], in the order of their creation. NULL: none. Nodes load
-- them with the tenant.
ALTER TABLE tenants ADD COLUMN identity_providers jsonb;
GRANT UPDATE (identity_providers) ON tenants TO keywright_tenant;

UPDATE tenants t SET identity_providers = p.active
  FROM (SELECT tenant_id, jsonb_agg(jsonb_build_object('id', id, 'type', type, 'name', name) ORDER BY created_at, id) AS active
          FROM identity_providers WHERE is_active GROUP BY tenant_id) AS p
 WHERE p.tenant_id = t.tenant_id;

-- The last one of each flow. It is used in two steps: by the return of the browser, which leaves what the provider said
-- for whoever has the handoff, and by the flow.
CREATE TABLE upstream_logins (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  flow_id text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- SHA-256 of its secret. The nonce and the code verifier are derived from that, and stored nowhere.
  state_hash bytea NOT NULL,
  return_url text NOT NULL,
  -- The user has to log in anew there: the flow continues a session.
  asks_login boolean NOT NULL,
  -- How many the flow has begun.
  begun integer NOT NULL DEFAULT 1,
  expires_at timestamptz(3) NOT NULL,
  -- When the browser came back.
  used_at timestamptz(3),
  -- SHA-256.
  handoff_hash bytea,
  -- {subject, email, is_verified, is_authoritative, has_mfa}: what the provider said.
  identity jsonb,
  -- Whose it becomes, once that user has proven the account in the flow.
  links_to text COLLATE "C",
  PRIMARY KEY (tenant_id, flow_id)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE UNIQUE INDEX upstream_logins_by_state ON upstream_logins (tenant_id, state_hash);
CREATE INDEX upstream_logins_by_end ON upstream_logins (expires_at);
SELECT kw_isolate('upstream_logins');

ALTER TABLE login_flows
  DROP CONSTRAINT login_flows_purpose_check,
  ADD CONSTRAINT login_flows_purpose_check
    CHECK (purpose IN ('login', 'recovery', 'step_up', 'verification', 'invitation', 'linking'));
