-- A flow with the current state of its identifier's user. is_sent: the flow waits for the code or the link of a message.
-- has_others: its user has another verified identifier. has_totp, has_passkey: the user's second factors.
-- null: acr, steps_up, workspace_id, locale, continues, ended_at, session_id
-- of login_flows: purpose
-- type acr: Acr
-- type proofs: unknown[]
-- type steps_up: SessionId
-- when user_id: is_active, auth_version, has_second_factor, has_recovery_codes, is_verified, has_others, has_totp, has_passkey
purpose text, identifier text, workspace_id text, registers boolean, locale text, continues text, proofs json,
version integer, expires_at timestamptz, ended_at timestamptz, session_id text, is_sent boolean, user_id text,
is_active boolean, auth_version integer, has_second_factor boolean, has_recovery_codes boolean, is_verified boolean,
has_others boolean, has_totp boolean, has_passkey boolean, acr text, steps_up text
