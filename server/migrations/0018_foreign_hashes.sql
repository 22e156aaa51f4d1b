-- Passwords hashed by other products.

-- The algorithm and the parameters of a hash, as they are encoded before the salt: what its verification costs.
ALTER TABLE user_credentials ADD COLUMN scheme text COLLATE "C" GENERATED ALWAYS AS (
  CASE WHEN secret_hash LIKE '$2_$%' THEN left(secret_hash, 7)
       ELSE substring(secret_hash FROM '^(\$[^$]+(\$v=[0-9]+)?\$[^$]+)\$') END
) STORED;
-- Counts the users of each scheme.
CREATE INDEX user_credentials_by_scheme ON user_credentials (tenant_id, scheme);

-- {key, total, schemes: {<scheme>: users}, counted_at} while passwords of the tenant have foreign hashes; otherwise
-- NULL. Unknown identifiers are answered as slowly as that share of the known ones; the key decides which.
ALTER TABLE tenants ADD COLUMN foreign_hashes jsonb;
GRANT UPDATE (foreign_hashes) ON tenants TO keywright_tenant;
