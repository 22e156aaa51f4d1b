-- What a flow has to lead to.

ALTER TABLE login_flows
  -- The least assurance of its session.
  ADD COLUMN acr text COLLATE "C",
  -- The session that it continues.
  ADD COLUMN steps_up text COLLATE "C";
