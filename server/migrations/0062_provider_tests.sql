-- An identity provider is enabled after an accepted test of its present settings.

ALTER TABLE identity_providers
  -- Counts the changes of settings that a login depends on.
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  -- When a test of this version was accepted. NULL: none was.
  ADD COLUMN tested_at timestamptz(3);

-- The version of the provider when the login began. 0: before this migration.
ALTER TABLE upstream_logins ADD COLUMN provider_version integer NOT NULL DEFAULT 0;
