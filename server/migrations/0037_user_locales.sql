-- The language that its user had chosen when a message was queued.
ALTER TABLE messages ADD COLUMN user_locale text COLLATE "C";
