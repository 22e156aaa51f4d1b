-- Domains of e-mail addresses whose users log in at one provider only. Nodes load the proven ones with the tenant, as
-- `captures` of its identity_providers.
CREATE TABLE provider_domains (
  tenant_id text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  provider_id text COLLATE "C" NOT NULL,
  -- In the DNS record that proves the domain.
  challenge text NOT NULL,
  verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, domain),
  FOREIGN KEY (tenant_id, provider_id) REFERENCES identity_providers ON DELETE CASCADE
);
CREATE INDEX provider_domains_by_provider ON provider_domains (tenant_id, provider_id);
SELECT kw_isolate('provider_domains');
