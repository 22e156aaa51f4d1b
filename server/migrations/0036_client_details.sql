-- What clients register beside what they need, and when they were last used.

ALTER TABLE oauth_clients
  -- As max_age, where a request has none; NULL: none.
  ADD COLUMN default_max_age integer,
  -- Also where the tenant lets clients with a secret do without.
  ADD COLUMN require_pkce boolean NOT NULL DEFAULT false,
  ADD COLUMN policy_uri text,
  ADD COLUMN tos_uri text,
  ADD COLUMN contacts text[] NOT NULL DEFAULT '{}',
  -- When it last got tokens, to the hour. It is in no index, so that the updates are HOT.
  ADD COLUMN last_used_at timestamptz(3);
