-- Clients that may log users in within themselves (draft-ietf-oauth-first-party-apps).

ALTER TABLE oauth_clients ADD COLUMN in_app_login boolean NOT NULL DEFAULT false;
