-- Applications that log users of a tenant in with OpenID Connect.

CREATE TABLE oauth_clients (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('web', 'spa', 'native')),
  -- Belongs to the tenant itself: no consent is asked for.
  first_party boolean NOT NULL,
  token_endpoint_auth_method text COLLATE "C" NOT NULL,
  redirect_uris text[] NOT NULL,
  post_logout_redirect_uris text[] NOT NULL,
  grant_types text[] NOT NULL,
  -- All that it may ask for.
  scopes text[] NOT NULL,
  jwks jsonb,
  id_token_signed_response_alg text COLLATE "C" NOT NULL,
  client_uri text,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX oauth_clients_by_age ON oauth_clients (tenant_id, created_at, id);
SELECT kw_isolate('oauth_clients');

-- Two during a rotation. They are random: a plain SHA-256 is enough.
CREATE TABLE oauth_client_secrets (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE INDEX oauth_client_secrets_by_client ON oauth_client_secrets (tenant_id, client_id);
SELECT kw_isolate('oauth_client_secrets');
