// Products whose users are exported from their databases as JSON, JSON lines or CSV, with the column names.

import {
  appearanceOf,
  encoded,
  emailIn,
  identifiersOf,
  inactiveIf,
  object,
  origin,
  type Password,
  phone,
  RecordProblem,
  type Source,
  type SourceRecord,
  text,
  truth,
  withPassword,
} from './source.ts';

/** The table auth.users. */
export const supabase: Source = {
  form: 'any',
  convert: (record) => {
    if (text(record, 'deleted_at') !== undefined) throw new RecordProblem('was deleted');
    const hash = text(record, 'encrypted_password');
    const userMetadata = object(record, 'raw_user_meta_data');
    return {
      identifiers: identifiersOf([
        {
          identifier: text(record, 'email'),
          verified: text(record, 'email_confirmed_at', 'confirmed_at') !== undefined,
        },
        {
          identifier: phone(text(record, 'phone')),
          verified: text(record, 'phone_confirmed_at') !== undefined,
        },
      ]),
      ...appearanceOf(
        [text(userMetadata, 'full_name', 'name')],
        text(userMetadata, 'avatar_url', 'picture'),
      ),
      ...withPassword(hash === undefined ? undefined : supabasePassword(hash)),
      ...inactiveIf(Date.parse(text(record, 'banned_until') ?? '') > Date.now()),
      metadata: {
        ...object(record, 'raw_app_meta_data'),
        ...origin('supabase', text(record, 'id')),
      },
      user_metadata: userMetadata,
    };
  },
};

/** Matches a hash of a user who came from Firebase, which contains the parameters of the Firebase project. */
const FIREBASE_HASH =
  /^\$fbscrypt\$v=1,n=(\d+),r=(\d+),p=1(?:,ss=([^,$]*))?,sk=([^,$]*)\$([^$]*)\$([^$]*)$/;

function supabasePassword(hash: string): Password {
  const [, cost, rounds, separator, key, salt, bytes] = FIREBASE_HASH.exec(hash) ?? [];
  if (cost === undefined) return encoded(hash);
  return {
    scheme: 'firebase_scrypt',
    hash: bytes ?? '',
    salt: salt ?? '',
    signer_key: key ?? '',
    ...(separator ? { salt_separator: separator } : {}),
    rounds: Number(rounds),
    mem_cost: Number(cost),
  };
}

/** Reads the table `user`, with the `password` of the user's credential account. */
export const betterAuth: Source = {
  form: 'any',
  convert: (record) => ({
    identifiers: identifiersOf([
      {
        identifier: text(record, 'email'),
        verified: truth(record, 'emailVerified', 'email_verified'),
      },
      {
        identifier: text(record, 'phoneNumber', 'phone_number'),
        verified: truth(record, 'phoneNumberVerified', 'phone_number_verified'),
      },
    ]),
    ...appearanceOf([text(record, 'name')], text(record, 'image')),
    ...withPassword(betterAuthPassword(text(record, 'password'))),
    ...inactiveIf(truth(record, 'banned')),
    metadata: origin('better-auth', text(record, 'id')),
  }),
};

/** Parses Better Auth's own hash format: the salt is the text of its hexadecimal digits. */
function betterAuthPassword(stored: string | undefined): Password | undefined {
  if (stored === undefined) return undefined;
  const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(stored) ?? [];
  if (salt === undefined || key === undefined) return encoded(stored);
  return {
    scheme: 'scrypt',
    hash: base64Of(bytesOfHex(key)),
    salt: base64Of(new TextEncoder().encode(salt)),
    cost: 16_384,
    block_size: 16,
    parallelism: 1,
    normalization: 'nfkc',
  };
}

function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** The table users. */
export const logto: Source = {
  form: 'any',
  convert: (record) => ({
    identifiers: identifiersOf([
      // Logto stores an email address or a phone number only after verifying it.
      {
        identifier: text(record, 'primary_email', 'primaryEmail'),
        verified: true,
      },
      { identifier: phone(text(record, 'primary_phone', 'primaryPhone')), verified: true },
      ...usernameOf(record),
    ]),
    ...appearanceOf([text(record, 'name')], text(record, 'avatar')),
    ...withPassword(logtoPassword(record)),
    ...inactiveIf(truth(record, 'is_suspended', 'isSuspended')),
    metadata: {
      ...object(record, 'custom_data', 'customData'),
      ...origin('logto', text(record, 'id')),
    },
  }),
};

/** Returns the username as an identifier, but only without an email address. */
function usernameOf(record: SourceRecord) {
  if (text(record, 'primary_email', 'primaryEmail') !== undefined) return [];
  return [{ identifier: emailIn(text(record, 'username')), verified: false }];
}

function logtoPassword(record: SourceRecord): Password | undefined {
  const hash = text(record, 'password_encrypted', 'passwordEncrypted');
  return hash === undefined ? undefined : encoded(hash);
}
