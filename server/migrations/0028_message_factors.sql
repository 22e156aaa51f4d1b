-- Codes by SMS and by mail as second factors.

ALTER TABLE challenges
  DROP CONSTRAINT challenges_kind_check,
  -- Every row of before is of a kind that was there: they are not read to see that.
  ADD CONSTRAINT challenges_kind_check
    CHECK (kind IN ('login', 'verification', 'recovery', 'second_factor_sms', 'second_factor_email')) NOT VALID;

-- Wrong codes in a row that were sent to it as a second factor.
ALTER TABLE user_identifiers ADD COLUMN failures integer NOT NULL DEFAULT 0;
