-- Whose access tokens are bound to keys (RFC 9449). Refresh tokens carry the thumbprint of their key themselves.

ALTER TABLE oauth_clients ADD COLUMN dpop_bound_access_tokens boolean NOT NULL DEFAULT false;
ALTER TABLE oauth_resources ADD COLUMN dpop_required boolean NOT NULL DEFAULT false;
