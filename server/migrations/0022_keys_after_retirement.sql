-- The public half of a signing key outlives its use: it tells a refresh token that was used before from one that
-- never was ours, for as long as a session of that time can live. The private half goes when the key is retired.
ALTER TABLE signing_keys ALTER COLUMN private_key DROP NOT NULL;
