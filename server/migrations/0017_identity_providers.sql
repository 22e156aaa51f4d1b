-- Identity providers of tenants, at which their users log in.

CREATE TABLE identity_providers (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('oidc', 'google', 'microsoft', 'apple', 'github', 'oauth2')),
  name text NOT NULL,
  client_id text NOT NULL,
  -- Encrypted under the tenant's data key. NULL: a public client.
  client_secret bytea,
  -- The settings of its type.
  settings jsonb NOT NULL,
  is_active boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX identity_providers_by_age ON identity_providers (tenant_id, created_at, id);
SELECT kw_isolate('identity_providers');

-- A subject of a provider belongs to one user.
CREATE UNIQUE INDEX user_credentials_by_external_id ON user_credentials (tenant_id, provider, external_id)
  WHERE type = 'oauth';
