-- Where a tenant has many waiting devices, an index that begins with the tenant is as good a guess for the primary key's as
-- the primary key, until a plan for any values reads all of the tenant's. This one begins with what few rows share.
CREATE UNIQUE INDEX device_grants_by_user_code ON device_grants (user_code_hash, tenant_id);
ALTER TABLE device_grants DROP CONSTRAINT device_grants_tenant_id_user_code_hash_key;
