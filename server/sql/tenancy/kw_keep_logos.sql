-- Keeps a row for each logo address in the branding of a tenant, and the rows without an address, which are uploads. A
-- different address is fetched again.
CREATE OR REPLACE FUNCTION kw_keep_logos() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM logos l
   WHERE l.tenant_id = NEW.tenant_id AND nullif(l.url, '') IS DISTINCT FROM NEW.branding ->> (l.kind || '_url');
  INSERT INTO logos (tenant_id, kind, url)
  SELECT NEW.tenant_id, logo.kind, NEW.branding ->> (logo.kind || '_url')
    FROM (VALUES ('logo'), ('logo_dark'), ('icon'), ('background')) AS logo (kind)
   WHERE NEW.branding ->> (logo.kind || '_url') IS NOT NULL
  ON CONFLICT (tenant_id, kind) DO NOTHING;
  RETURN NULL;
END
$$;
