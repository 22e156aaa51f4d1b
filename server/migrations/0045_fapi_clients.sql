-- Clients under the FAPI 2.0 Security Profile, and those whose refresh tokens stay the same.

ALTER TABLE oauth_clients ADD COLUMN profile text COLLATE "C" NOT NULL DEFAULT 'none'
  CHECK (profile IN ('none', 'fapi2'));
ALTER TABLE oauth_clients ADD COLUMN refresh_token_policy text COLLATE "C" NOT NULL DEFAULT 'rotate'
  CHECK (refresh_token_policy IN ('rotate', 'fixed'));
