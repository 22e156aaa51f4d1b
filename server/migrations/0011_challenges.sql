-- Codes and links that were sent to users.

-- One for each kind in a flow, which a resend repeats. Its code and its link are derived from its id and kind, and stored
-- nowhere. It has no foreign key to a user: one is written for an unknown identifier, too, at the same cost.
CREATE TABLE challenges (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  id text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('login', 'verification', 'recovery')),
  -- NULL: nobody has the identifier, and the message was not sent.
  user_id text COLLATE "C",
  -- That of the user when it was sent: what was sent before their credentials changed is worthless.
  auth_version integer,
  -- Counted before they are compared. Another challenge of the flow continues the count.
  guesses integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, flow_id, kind),
  CHECK ((user_id IS NULL) = (auth_version IS NULL))
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
CREATE INDEX challenges_by_end ON challenges (expires_at);
SELECT kw_isolate('challenges');
