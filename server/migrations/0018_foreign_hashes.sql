-- Passwords hashed by other products.

-- The algorithm and the parameters of a hash, as they are encoded before the salt: what its verification costs. Set by
-- a trigger, since nodes of the version before do not know it. All hashes so far are of this scheme.
ALTER TABLE user_credentials ADD COLUMN scheme text COLLATE "C" DEFAULT '$argon2id$v=19$m=19456,t=2,p=1';
ALTER TABLE user_credentials ALTER COLUMN scheme DROP DEFAULT;
-- Counts the users of each scheme.
CREATE INDEX user_credentials_by_scheme ON user_credentials (tenant_id, scheme);

-- {key, total, schemes: {<scheme>: users}, counted_at} while passwords of the tenant have foreign hashes; otherwise
-- NULL. Unknown identifiers are answered as slowly as that share of the known ones; the key decides which.
ALTER TABLE tenants ADD COLUMN foreign_hashes jsonb;
GRANT UPDATE (foreign_hashes) ON tenants TO keywright_tenant;
