-- Access that administrators grant instead of users (draft-ietf-oauth-identity-assertion-authz-grant): for which other
-- authorization servers a client gets assertions, and of which identity providers it may present them.

ALTER TABLE oauth_clients
  ADD COLUMN identity_assertions jsonb NOT NULL DEFAULT '{"audiences": [], "providers": []}';
