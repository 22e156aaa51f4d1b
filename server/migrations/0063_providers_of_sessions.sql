-- The identity provider through which the user of a session signed in; NULL: through none.
ALTER TABLE sessions ADD COLUMN provider_id text COLLATE "C";
