-- NULL: by the rule of OAuth 2.1 §7.5.1; true: always; false: an administrator exempted the client.
ALTER TABLE oauth_clients
  ALTER COLUMN require_pkce DROP NOT NULL,
  ALTER COLUMN require_pkce DROP DEFAULT;
UPDATE oauth_clients SET require_pkce = NULL WHERE NOT require_pkce;

-- Its other value, 'public', is now the exemption of single clients.
UPDATE tenants
   SET config = (config - 'oauth_pkce')
             || jsonb_build_object('oauth_require_pkce', config ->> 'oauth_pkce' = 'all')
 WHERE config ? 'oauth_pkce';

-- The header typ of its access tokens.
ALTER TABLE oauth_resources
  ADD COLUMN access_token_typ text COLLATE "C" NOT NULL DEFAULT 'at+jwt'
    CHECK (access_token_typ IN ('at+jwt', 'JWT'));

-- Where a user can start a login at the client (OpenID Connect Core §4); NULL: nowhere.
ALTER TABLE oauth_clients ADD COLUMN initiate_login_uri text;
