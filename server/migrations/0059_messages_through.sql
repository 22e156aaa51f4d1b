-- Notices of a changed mail server are sent through the previous one.

-- Its settings, encrypted under the tenant's data key; erased when the message has been sent or given up.
ALTER TABLE messages ADD COLUMN through bytea;
