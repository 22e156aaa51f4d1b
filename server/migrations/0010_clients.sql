-- OAuth clients, resource servers, and what users allow clients.

CREATE TABLE oauth_clients (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('web', 'spa', 'native')),
  -- Belongs to the tenant itself: it needs no consent.
  first_party boolean NOT NULL,
  -- type: OAuthClientRecord['token_endpoint_auth_method']
  token_endpoint_auth_method text COLLATE "C" NOT NULL,
  redirect_uris text[] NOT NULL,
  post_logout_redirect_uris text[] NOT NULL,
  -- type: OAuthClientRecord['grant_types']
  grant_types text[] NOT NULL,
  -- All that it may request.
  scopes text[] NOT NULL,
  -- type: NonNullable<OAuthClientRecord['jwks']>
  jwks jsonb,
  -- type: OAuthClientRecord['id_token_signed_response_alg']
  id_token_signed_response_alg text COLLATE "C" NOT NULL,
  client_uri text,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL,
  -- The algorithm of a signed userinfo response; NULL: JSON.
  -- type: NonNullable<OAuthClientRecord['userinfo_signed_response_alg']>
  userinfo_signed_response_alg text COLLATE "C",
  subject_type text COLLATE "C" NOT NULL DEFAULT 'public' CHECK (subject_type IN ('public', 'pairwise')),
  -- Whether ID tokens also contain the claims of the granted scopes.
  id_token_claims boolean NOT NULL DEFAULT true,
  -- Changes with the client and with its secrets. Nodes cache clients: statements that open something with a client
  -- compare its version.
  version integer NOT NULL DEFAULT 1,
  -- NULL: it gets no back-channel logouts.
  backchannel_logout_uri text,
  backchannel_logout_session_required boolean NOT NULL DEFAULT false,
  require_pushed_authorization_requests boolean NOT NULL DEFAULT false,
  -- The address of its keys, instead of jwks.
  jwks_uri text,
  -- The list of redirect URIs whose host decides its pairwise subjects; NULL: the host of its own.
  sector_identifier_uri text,
  -- As max_age, if a request has none; NULL: none.
  default_max_age integer,
  -- NULL: by the rule of OAuth 2.1 §7.5.1; true: always; false: an administrator exempted the client.
  require_pkce boolean,
  policy_uri text,
  tos_uri text,
  contacts text[] NOT NULL DEFAULT '{}',
  -- When it last got tokens, to the hour. It is in no index, so that the updates are HOT.
  last_used_at timestamptz(3),
  -- Access tokens are bound to keys (RFC 9449). Refresh tokens carry the thumbprint of their key themselves.
  dpop_bound_access_tokens boolean NOT NULL DEFAULT false,
  -- RFC 9101.
  require_signed_request_object boolean NOT NULL DEFAULT false,
  created_by text COLLATE "C" NOT NULL DEFAULT 'admin'
    CHECK (created_by IN ('admin', 'registration', 'metadata_document')),
  logo_uri text,
  -- FAPI 2.0 Security Profile.
  profile text COLLATE "C" NOT NULL DEFAULT 'none' CHECK (profile IN ('none', 'fapi2')),
  refresh_token_policy text COLLATE "C" NOT NULL DEFAULT 'rotate' CHECK (refresh_token_policy IN ('rotate', 'fixed')),
  -- Access that administrators grant instead of users (draft-ietf-oauth-identity-assertion-authz-grant): the other
  -- authorization servers for which the client gets assertions, and the identity providers whose assertions it may
  -- present.
  -- type: OAuthClientRecord['identity_assertions']
  identity_assertions jsonb NOT NULL DEFAULT '{"audiences": [], "providers": []}',
  -- The users whose events it may receive.
  shared_signals text COLLATE "C" NOT NULL DEFAULT 'none' CHECK (shared_signals IN ('none', 'own_users', 'all_users')),
  -- The types that it may request (RFC 9396).
  authorization_details_types text[] NOT NULL DEFAULT '{}',
  -- Whether it may log users in within itself (draft-ietf-oauth-first-party-apps).
  in_app_login boolean NOT NULL DEFAULT false,
  -- Where a user can start a login at the client (OpenID Connect Core §4); NULL: nowhere.
  initiate_login_uri text,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX oauth_clients_by_age ON oauth_clients (tenant_id, created_at, id);
SELECT kw_isolate('oauth_clients');

-- What a client replaces of its tenant's branding.
CREATE TABLE client_brandings (
  tenant_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- type: ClientBranding['settings']
  settings jsonb NOT NULL DEFAULT '{}',
  -- The digest of each image, in hexadecimal.
  -- type: ClientBranding['images']
  images jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, client_id),
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
SELECT kw_isolate('client_brandings');

CREATE TABLE client_images (
  tenant_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('logo', 'logo_dark', 'icon', 'background')),
  -- SHA-256 of the image.
  digest bytea NOT NULL,
  content_type text NOT NULL,
  image bytea NOT NULL,
  PRIMARY KEY (tenant_id, client_id, kind),
  FOREIGN KEY (tenant_id, client_id) REFERENCES client_brandings ON DELETE CASCADE
);
SELECT kw_isolate('client_images');

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

-- Registrations of clients that no administrator created: they registered themselves (RFC 7591), or publish a metadata
-- document.
CREATE TABLE client_registrations (
  tenant_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the token with which it changes its registration; NULL: its metadata document describes it.
  token_hash bytea,
  -- All that it may register for, and the hosts to which users may return; NULL: any.
  scopes text[],
  redirect_hosts text[],
  -- When it is deleted unless a user has consented to it by then; NULL: a registration token vouches for it.
  kept_until timestamptz(3),
  PRIMARY KEY (tenant_id, client_id),
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE INDEX client_registrations_by_end ON client_registrations (kept_until) WHERE kept_until IS NOT NULL;
-- Counts them.
CREATE INDEX client_registrations_of_anybody ON client_registrations (tenant_id) WHERE kept_until IS NOT NULL;
SELECT kw_isolate('client_registrations');

-- Tokens for registering clients. They are random: a plain SHA-256 is enough.
CREATE TABLE registration_tokens (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL,
  -- How often it can still be used.
  uses integer NOT NULL CHECK (uses >= 0),
  expires_at timestamptz(3) NOT NULL,
  scopes text[],
  resources text[],
  redirect_hosts text[],
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, token_hash)
);
CREATE INDEX registration_tokens_by_age ON registration_tokens (tenant_id, created_at, id);
CREATE INDEX registration_tokens_by_end ON registration_tokens (expires_at);
SELECT kw_isolate('registration_tokens');

-- Services of a tenant that have access tokens of their own (RFC 8707).
CREATE TABLE oauth_resources (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  uri text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- The name and the description of each, and the permission that it requires.
  -- type: OAuthResourceRecord['scopes']
  scopes jsonb NOT NULL,
  -- NULL: as long as those of the tenant.
  token_ttl integer,
  access_token_signing_alg text COLLATE "C" NOT NULL
    CHECK (access_token_signing_alg IN ('EdDSA', 'RS256', 'ES256')),
  -- Agents and clients.
  -- type: OAuthResourceRecord['served_by']
  served_by text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- RFC 9449.
  dpop_required boolean NOT NULL DEFAULT false,
  -- RFC 9396.
  -- type: OAuthResourceRecord['authorization_details_types']
  authorization_details_types jsonb NOT NULL DEFAULT '[]',
  -- The header typ of its access tokens.
  access_token_typ text COLLATE "C" NOT NULL DEFAULT 'at+jwt' CHECK (access_token_typ IN ('at+jwt', 'JWT')),
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX oauth_resources_by_uri ON oauth_resources (tenant_id, uri);
CREATE INDEX oauth_resources_by_age ON oauth_resources (tenant_id, created_at, id);
SELECT kw_isolate('oauth_resources');

-- What users allow OAuth clients.
CREATE TABLE consents (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- All that was allowed so far.
  scopes text[] NOT NULL,
  -- Increases when the consent is revoked: earlier codes open no session.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  -- The details that the user allowed last (RFC 9396).
  -- type: AuthorizationDetail[]
  authorization_details jsonb NOT NULL DEFAULT '[]',
  -- Where the user has agreed that codes are sent, as the consent page named it: the origins of https URIs,
  -- http://localhost for all loopback URIs, and the schemes of apps with their colon.
  redirect_origins text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE UNIQUE INDEX consents_of_user ON consents (tenant_id, user_id, client_id);
CREATE INDEX consents_by_age ON consents (tenant_id, created_at, id);
-- With the user: PostgreSQL may use this index to find a consent, and a client may have a million users. Among indexes of the
-- same cost, the order in which they were created decides: the tests of plans detect another order.
CREATE INDEX consents_of_client ON consents (tenant_id, client_id, user_id);
SELECT kw_isolate('consents');

-- What a consent allows at a resource: the same scope has another meaning at another one. No foreign key to the resource:
-- its deletion would wait for changes of consents, and they for it.
CREATE TABLE consent_resources (
  tenant_id text COLLATE "C" NOT NULL,
  consent_id text COLLATE "C" NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  PRIMARY KEY (tenant_id, consent_id, resource_id),
  FOREIGN KEY (tenant_id, consent_id) REFERENCES consents ON DELETE CASCADE
);
SELECT kw_isolate('consent_resources');
