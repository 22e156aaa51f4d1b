-- IDs of the master keys of a node, which reveal nothing about the keys. A rotation fails while a listed node lacks the
-- new key.
ALTER TABLE nodes ADD COLUMN master_key_ids text[] NOT NULL DEFAULT '{}';
