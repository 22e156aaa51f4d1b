-- Passkeys.

ALTER TABLE user_factors
  DROP CONSTRAINT user_factors_type_check,
  ADD CONSTRAINT user_factors_type_check CHECK (type IN ('totp', 'recovery_codes', 'passkey')),
  ADD COLUMN credential_id bytea,
  -- The public key, as it is checked: SubjectPublicKeyInfo, and its COSE algorithm.
  ADD COLUMN public_key bytea,
  ADD COLUMN algorithm integer,
  -- The same as the authenticator gave it (RFC 9052 §7).
  ADD COLUMN cose_key bytea,
  -- The domain that browsers bind it to. Under another one it cannot be used.
  ADD COLUMN rp_id text COLLATE "C",
  -- Of signatures; 0: the authenticator counts none.
  ADD COLUMN counter bigint,
  ADD COLUMN backup_eligible boolean,
  ADD COLUMN backed_up boolean,
  ADD COLUMN transports text[],
  ADD COLUMN aaguid text COLLATE "C",
  -- What the authenticator knows the user by; the same for all passkeys of a user.
  ADD COLUMN user_handle bytea,
  ADD CONSTRAINT user_factors_passkey_check CHECK ((type = 'passkey') = (
    credential_id IS NOT NULL AND public_key IS NOT NULL AND algorithm IS NOT NULL AND cose_key IS NOT NULL
    AND rp_id IS NOT NULL AND counter IS NOT NULL AND backup_eligible IS NOT NULL AND backed_up IS NOT NULL
    AND transports IS NOT NULL AND aaguid IS NOT NULL AND user_handle IS NOT NULL));
CREATE UNIQUE INDEX user_factors_passkeys ON user_factors (tenant_id, credential_id) WHERE credential_id IS NOT NULL;

ALTER TABLE login_flows
  -- SHA-256 of the challenge that the next passkey of the flow has to sign.
  ADD COLUMN passkey_challenge bytea,
  ADD COLUMN passkey_expires_at timestamptz(3),
  -- Challenges that were given out.
  ADD COLUMN passkey_challenges integer NOT NULL DEFAULT 0;
