-- Where the user has agreed that codes are sent, as the consent page named it: the origins of https URIs,
-- http://localhost for all loopback URIs, and the schemes of apps with their colon.
ALTER TABLE consents ADD COLUMN redirect_origins text[] NOT NULL DEFAULT '{}';
