-- Where system administrators act inside other tenants in the console: which session, in which tenant, why and until when.

CREATE TABLE impersonations (
  -- The tenant of the administrator.
  tenant_id text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  -- The tenant that they act in. Its id is never that of another one later.
  into_tenant text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  -- A change of the permissions of the administrator ends it, and a reactivation of the tenant.
  session_version integer NOT NULL,
  tenant_version integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, session_id, into_tenant),
  FOREIGN KEY (tenant_id, session_id) REFERENCES sessions ON DELETE CASCADE
);
SELECT kw_isolate('impersonations');
