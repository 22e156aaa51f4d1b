-- Counts the passwords of each scheme and nothing else: while statistics knew of few users, look-ups of one user's
-- credentials read all of their tenant through this index.
DROP INDEX user_credentials_by_scheme;
CREATE INDEX user_credentials_by_scheme ON user_credentials (tenant_id, scheme) WHERE scheme IS NOT NULL;
