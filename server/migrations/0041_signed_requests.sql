-- Clients that have to sign their authorization requests (RFC 9101).

ALTER TABLE oauth_clients ADD COLUMN require_signed_request_object boolean NOT NULL DEFAULT false;
