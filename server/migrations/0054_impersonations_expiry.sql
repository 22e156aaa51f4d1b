-- For the sweep of those that are over.

CREATE INDEX impersonations_by_expiry ON impersonations (expires_at);
