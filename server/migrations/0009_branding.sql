-- Logos and texts of tenants.

-- Logos are fetched once when their address is set, and served by the service. A trigger of tenants keeps a row for each
-- address.
CREATE TABLE logos (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('logo', 'logo_dark', 'icon', 'background')),
  url text NOT NULL,
  -- `pending`: to be fetched; `failed`: `reason` says why.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'stored', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  -- SHA-256 of the image.
  digest bytea,
  content_type text,
  image bytea,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, kind),
  CHECK ((status = 'stored') = (digest IS NOT NULL AND content_type IS NOT NULL AND image IS NOT NULL))
);
CREATE INDEX logos_pending ON logos (updated_at) WHERE status = 'pending';
SELECT kw_isolate('logos');

-- Texts that replace those of the service, by their key and language.
CREATE TABLE tenant_texts (
  tenant_id text COLLATE "C" NOT NULL REFERENCES tenants,
  locale text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 1000),
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, locale, key)
);
SELECT kw_isolate('tenant_texts');
