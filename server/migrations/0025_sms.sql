-- Codes by SMS.

ALTER TABLE messages
  DROP CONSTRAINT messages_channel_check,
  -- Every row of before is a mail: they are not read to see that.
  ADD CONSTRAINT messages_channel_check CHECK (channel IN ('email', 'sms')) NOT VALID;

-- Text messages of a tenant to a country, and codes of them that were used, by 50. One row for each country at most.
CREATE TABLE sms_traffic (
  tenant_id text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  sent integer NOT NULL,
  redeemed integer NOT NULL,
  paused_until timestamptz(3),
  PRIMARY KEY (tenant_id, country)
)
-- Free space for HOT updates.
WITH (fillfactor = 70);
SELECT kw_isolate('sms_traffic');
