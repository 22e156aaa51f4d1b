-- Flows of sessions that need a stronger login.

ALTER TABLE login_flows
  DROP CONSTRAINT login_flows_purpose_check,
  ADD CONSTRAINT login_flows_purpose_check CHECK (purpose IN ('login', 'recovery', 'step_up', 'verification'));
