-- Invitations of people.

-- What was granted is checked again when it is accepted, against what the inviter holds then. The token is derived from
-- the id, and stored nowhere.
CREATE TABLE invitations (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  -- Normalised.
  identifier text COLLATE "C" NOT NULL,
  roles text[] NOT NULL,
  workspaces text[] NOT NULL,
  -- A user or an agent of the tenant, neither of which need exist any more; or an impersonator.
  invited_by text COLLATE "C" NOT NULL,
  inviter_kind text COLLATE "C" NOT NULL,
  -- The agent that invited for the user.
  inviting_agent text COLLATE "C",
  locale text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  accepted_by text COLLATE "C",
  revoked_at timestamptz(3),
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 70);
CREATE INDEX invitations_by_age ON invitations (tenant_id, created_at, id);
CREATE INDEX invitations_by_identifier ON invitations (tenant_id, identifier, created_at, id);
CREATE INDEX invitations_by_end ON invitations (expires_at);
SELECT kw_isolate('invitations');

ALTER TABLE login_flows
  DROP CONSTRAINT login_flows_purpose_check,
  ADD CONSTRAINT login_flows_purpose_check
    CHECK (purpose IN ('login', 'recovery', 'step_up', 'verification', 'invitation')),
  -- That its session accepts.
  ADD COLUMN invitation_id text COLLATE "C";
