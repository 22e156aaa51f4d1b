-- Texts of tenants in place of those that ship with the service, by their key and language.
CREATE TABLE tenant_texts (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  locale text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 1000),
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, locale, key)
);
SELECT kw_isolate('tenant_texts');
