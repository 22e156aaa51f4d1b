-- What clients publish, and where.

ALTER TABLE oauth_clients
  -- Its keys, in place of jwks.
  ADD COLUMN jwks_uri text,
  -- The list of redirect URIs whose host decides its pairwise subjects; NULL: the host of its own.
  ADD COLUMN sector_identifier_uri text;
