-- Nodes cache clients. What they open with one is checked against its version in the same statement.

ALTER TABLE oauth_clients
  -- Changes with the client and with its secrets.
  ADD COLUMN version integer NOT NULL DEFAULT 1;

-- With the user: PostgreSQL may take this index for a consent, and a client may have a million users.
DROP INDEX consents_of_client;
CREATE INDEX consents_of_client ON consents (tenant_id, client_id, user_id);
