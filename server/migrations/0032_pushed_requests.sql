-- Authorization requests that clients pushed, until they expire (RFC 9126).
CREATE TABLE pushed_requests (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  -- SHA-256 of what only the client knows: the request_uri.
  id bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  -- As a form.
  parameters text NOT NULL CHECK (length(parameters) <= 16384),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
-- Rows are inserted in the order of their age.
CREATE INDEX pushed_requests_by_end ON pushed_requests USING brin (expires_at);
SELECT kw_isolate('pushed_requests');

-- Whether the client may send its requests in no other way.
ALTER TABLE oauth_clients ADD COLUMN require_pushed_authorization_requests boolean NOT NULL DEFAULT false;
