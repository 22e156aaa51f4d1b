-- What OAuth clients are told of users.

ALTER TABLE oauth_clients
  -- The algorithm of a signed answer; NULL: JSON.
  ADD COLUMN userinfo_signed_response_alg text COLLATE "C",
  -- Under which subject it knows a user: that of everybody, or one of its own.
  ADD COLUMN subject_type text COLLATE "C" NOT NULL DEFAULT 'public'
    CHECK (subject_type IN ('public', 'pairwise')),
  -- Whether ID tokens contain what the scopes grant, too.
  ADD COLUMN id_token_claims boolean NOT NULL DEFAULT true;

-- Claims that the client asked for by name, for the userinfo endpoint.
ALTER TABLE sessions ADD COLUMN userinfo_claims text[];
