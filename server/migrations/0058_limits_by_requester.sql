-- Limits are counted against whoever asks.

-- A hash of the network that began a flow. NULL: a session or an administrator did.
ALTER TABLE login_flows ADD COLUMN opened_from bytea;

-- Of one identifier, each network has its own open flows, however many others begin.
CREATE INDEX login_flows_by_opener ON login_flows (tenant_id, identifier, opened_from, id) WHERE ended_at IS NULL;
