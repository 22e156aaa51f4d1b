-- What happened in each tenant, in numbers.

CREATE TABLE activity (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
  -- Five minutes, or a day of UTC.
  span text COLLATE "C" NOT NULL CHECK (span IN ('5m', 'day')),
  began_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- By counter; what is missing is 0. A new counter needs no column.
  counts jsonb NOT NULL,
  PRIMARY KEY (tenant_id, span, began_at)
)
-- The row of the present is written every few seconds: its new versions stay in its page.
WITH (fillfactor = 80);
CREATE INDEX activity_by_expiry ON activity (expires_at);
SELECT kw_isolate('activity');
