-- Services of a tenant that have access tokens of their own (RFC 8707).

CREATE TABLE oauth_resources (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  uri text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Of each its name, its description and the permission that it requires.
  scopes jsonb NOT NULL,
  -- NULL: as long as those of the tenant.
  token_ttl integer,
  access_token_signing_alg text COLLATE "C" NOT NULL
    CHECK (access_token_signing_alg IN ('EdDSA', 'RS256', 'ES256')),
  -- Agents and clients.
  served_by text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX oauth_resources_by_uri ON oauth_resources (tenant_id, uri);
CREATE INDEX oauth_resources_by_age ON oauth_resources (tenant_id, created_at, id);
SELECT kw_isolate('oauth_resources');

-- What a consent allows at a resource: the same scope means something else at another one. It may be gone: a reference
-- would have its deletion wait for changes of consents, and they for it.
CREATE TABLE consent_resources (
  tenant_id text COLLATE "C" NOT NULL,
  consent_id text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  PRIMARY KEY (tenant_id, consent_id, resource_id),
  FOREIGN KEY (tenant_id, consent_id) REFERENCES consents ON DELETE CASCADE
);
SELECT kw_isolate('consent_resources');
