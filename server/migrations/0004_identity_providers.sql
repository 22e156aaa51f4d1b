-- Identity providers of tenants, and logins at them.

CREATE TABLE identity_providers (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('oidc', 'google', 'microsoft', 'apple', 'github', 'oauth2')),
  name text NOT NULL,
  client_id text NOT NULL,
  -- Encrypted under the tenant's data key. NULL: a public client.
  client_secret bytea,
  -- The settings of its type.
  -- type: Partial<IdentityProviderRecord>
  settings jsonb NOT NULL,
  -- A provider is enabled after an accepted test of its current settings.
  is_active boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Increases with each change of settings that a login depends on.
  version integer NOT NULL DEFAULT 1,
  -- When a test of this version was accepted. NULL: none was.
  tested_at timestamptz(3),
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX identity_providers_by_age ON identity_providers (tenant_id, created_at, id);
SELECT kw_isolate('identity_providers');

-- Domains of email addresses whose users log in at one provider only. Nodes load the proven ones with the tenant, as
-- `captures` of its identity_providers.
CREATE TABLE provider_domains (
  tenant_id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- In the DNS record that proves the domain.
  challenge text NOT NULL,
  verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, domain),
  FOREIGN KEY (tenant_id, provider_id) REFERENCES identity_providers ON DELETE CASCADE
);
CREATE INDEX provider_domains_by_provider ON provider_domains (tenant_id, provider_id);
SELECT kw_isolate('provider_domains');

-- The last login at a provider of each flow. It is used in two steps: by the return of the browser, which stores the
-- provider's response for the holder of the handoff, and by the flow.
CREATE TABLE upstream_logins (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  flow_id text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- SHA-256 of its secret. The nonce and the code verifier are derived from that, and stored nowhere.
  state_hash bytea NOT NULL,
  return_url text NOT NULL,
  -- The user has to log in again there: the flow continues a session.
  asks_login boolean NOT NULL,
  -- How many the flow has started.
  begun integer NOT NULL DEFAULT 1,
  expires_at timestamptz(3) NOT NULL,
  -- When the browser came back.
  used_at timestamptz(3),
  -- SHA-256.
  handoff_hash bytea,
  -- The provider's response: {subject, email, is_verified, is_authoritative, has_mfa}.
  identity jsonb,
  -- The user who gets the identity, once that user has proven the account in the flow.
  links_to text COLLATE "C",
  -- The version of the provider when the login started.
  provider_version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, flow_id)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE UNIQUE INDEX upstream_logins_by_state ON upstream_logins (tenant_id, state_hash);
CREATE INDEX upstream_logins_by_end ON upstream_logins (expires_at);
SELECT kw_isolate('upstream_logins');
