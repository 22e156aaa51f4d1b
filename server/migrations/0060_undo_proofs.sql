-- What proved the account before a change of its identifiers: undoing the change requires one of it.
-- secret_hash: of the password; NULL: there was none. factors: ids of the confirmed ones.
ALTER TABLE identifier_undos
  ADD COLUMN secret_hash text,
  ADD COLUMN factors text[] NOT NULL DEFAULT '{}';
