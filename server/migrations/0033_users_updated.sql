-- Applications are told when what they know of a user was last changed.

-- NULL: not since the user was created. It is not known of users who are there already: not after now.
ALTER TABLE users ADD COLUMN updated_at timestamptz(3) DEFAULT now();
ALTER TABLE users ALTER COLUMN updated_at DROP DEFAULT;
