-- When the agent last got a token under a delegation, to the minute. It is in no index, so that the updates are HOT.
ALTER TABLE delegations ADD COLUMN last_used_at timestamptz(3);
