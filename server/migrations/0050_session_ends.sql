-- When a session was ended, beside why. NULL: it was not, or before this column.
ALTER TABLE sessions ADD COLUMN ended_at timestamptz(3);
