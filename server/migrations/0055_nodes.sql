-- The running nodes, and what system administrators may read of the schema.

-- One row for each machine or container that runs the service; deleted when it stops, or after its lease.
CREATE TABLE nodes (
  id text COLLATE "C" PRIMARY KEY,
  host text NOT NULL,
  version text NOT NULL,
  -- Those that share its port.
  processes integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX nodes_by_expiry ON nodes (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON nodes TO keywright_system;
GRANT SELECT ON migration_checksums TO keywright_system;
