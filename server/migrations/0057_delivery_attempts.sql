-- The attempts of each delivery, one by one.

-- Of the last attempt.
ALTER TABLE webhook_deliveries ADD COLUMN duration_ms integer;
-- The last ten, the oldest first, each with at, status, duration_ms, reason and body. Null: there is nothing but the one
-- attempt that the other columns describe, which is so of most.
ALTER TABLE webhook_deliveries ADD COLUMN history jsonb;
