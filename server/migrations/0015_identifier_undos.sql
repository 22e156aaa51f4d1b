-- Undoing changes of identifiers.

-- One for each change and address that is told of it. Its token is derived from its id, and stored nowhere. All of a user
-- are deleted when one is used.
CREATE TABLE identifier_undos (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- That of the user before the change: a larger one is a later change.
  auth_version integer NOT NULL,
  -- Normalised; verified before the change.
  destination text COLLATE "C" NOT NULL,
  -- Before the change, in their order: [{type, identifier, verified}].
  identifiers jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE
);
CREATE INDEX identifier_undos_by_user ON identifier_undos (tenant_id, user_id, auth_version);
CREATE INDEX identifier_undos_by_end ON identifier_undos (expires_at);
SELECT kw_isolate('identifier_undos');
