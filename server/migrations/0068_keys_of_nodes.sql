-- Which master keys a node has, by id, which reveals nothing about the key: a rotation waits for nodes without the new one.
ALTER TABLE nodes ADD COLUMN master_key_ids text[] NOT NULL DEFAULT '{}';
