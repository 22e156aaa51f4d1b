-- The user, the permissions and the login of a session, as its access tokens state them. status_idx is NULL if the
-- session has no bit of its current version.
-- null: status_idx
-- type acr: Acr
-- type identifiers: IdentifierRecord[]
user_id text, access_version integer, workspace_id text, roles text[], scopes text[], identifiers json,
status_idx bigint, auth_time timestamptz, acr text, amr text[]
