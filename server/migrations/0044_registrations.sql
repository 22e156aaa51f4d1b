-- Clients that register themselves (RFC 7591), and those that publish what they are.

ALTER TABLE oauth_clients
  ADD COLUMN created_by text COLLATE "C" NOT NULL DEFAULT 'admin'
    CHECK (created_by IN ('admin', 'registration', 'metadata_document')),
  ADD COLUMN logo_uri text;

-- What concerns those that no administrator registered, apart from what they are.
CREATE TABLE client_registrations (
  tenant_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the token with which it changes its registration; NULL: its document says what it is.
  token_hash bytea,
  -- All that it may register for, and the hosts to which users may return; NULL: any.
  scopes text[],
  redirect_hosts text[],
  -- When it is deleted unless a user allows it something until then; NULL: whoever let it in vouches for it.
  kept_until timestamptz(3),
  PRIMARY KEY (tenant_id, client_id),
  FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients ON DELETE CASCADE
);
CREATE INDEX client_registrations_by_end ON client_registrations (kept_until) WHERE kept_until IS NOT NULL;
-- How many there are.
CREATE INDEX client_registrations_of_anybody ON client_registrations (tenant_id) WHERE kept_until IS NOT NULL;
SELECT kw_isolate('client_registrations');

-- What others register clients with. They are random: a plain SHA-256 is enough.
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
