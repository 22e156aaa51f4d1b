-- What is allowed in particular (RFC 9396): the types of a resource, those that a client may ask for, and what a user allowed
-- last.

ALTER TABLE oauth_resources ADD COLUMN authorization_details_types jsonb NOT NULL DEFAULT '[]';
ALTER TABLE oauth_clients ADD COLUMN authorization_details_types text[] NOT NULL DEFAULT '{}';
ALTER TABLE consents ADD COLUMN authorization_details jsonb NOT NULL DEFAULT '[]';
