// Exports in the formats of other products.

import { randomBytes, randomUUID } from 'node:crypto';
import type { ForeignPassword } from '@keywright/contract/records/user-import';
import {
  ARGON2I,
  argon2Of,
  bcryptOf,
  FIREBASE,
  firebaseOf,
  pbkdf2Of,
  scryptOf,
} from './foreign-passwords.ts';
import { hash as argon2 } from '@node-rs/argon2';

/** A user with a password, by email address. */
interface Person {
  readonly identifier: string;
  readonly password: string;
}

interface Export {
  /** The name of the file. */
  readonly name: string;
  readonly text: string;
}

type MakeExport = (people: readonly Person[]) => Promise<Export>;

const DATE = '2024-05-06T07:08:09.123Z';

const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** https://support.auth0.com/center/s/article/How-to-Use-the-Password-Hashes-Export-from-Auth0 */
const auth0: MakeExport = async (people) => {
  const records = people.map(async ({ identifier, password }) => ({
    _id: { $oid: randomBytes(12).toString('hex') },
    email_verified: true,
    email: identifier,
    passwordHash: (await bcryptOf(password, 10)).hash,
    password_set_date: { $date: DATE },
    tenant: 'acme',
    connection: 'Username-Password-Authentication',
    _tmp_is_unique: true,
    identifiers: [{ type: 'email', value: identifier, verified: true }],
  }));
  return { name: 'password-hashes.ndjson', text: lines(await Promise.all(records)) };
};

/** `kc.sh export --dir export --realm acme --users realm_file`; passwords of either default algorithm. */
const keycloak: MakeExport = async (people) => {
  const users = people.map(async ({ identifier, password }, index) => ({
    id: randomUUID(),
    username: identifier,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: identifier,
    emailVerified: true,
    createdTimestamp: Date.parse(DATE),
    enabled: true,
    totp: false,
    credentials: [
      {
        id: randomUUID(),
        type: 'password',
        userLabel: 'My password',
        createdDate: Date.parse(DATE),
        ...(index % 2 === 0
          ? keycloakPbkdf2(pbkdf2Of(password, 'sha512', 210_000))
          : keycloakArgon2(await argon2Of(password))),
      },
    ],
    disableableCredentialTypes: [],
    requiredActions: [],
    realmRoles: ['default-roles-acme'],
    notBefore: 0,
    groups: [],
  }));
  const realm = {
    id: randomUUID(),
    realm: 'acme',
    notBefore: 0,
    defaultSignatureAlgorithm: 'RS256',
    users: await Promise.all(users),
  };
  return { name: 'acme-realm.json', text: JSON.stringify(realm, null, 2) };
};

function keycloakPbkdf2({ hash: value, salt, digest, iterations }: ForeignPassword) {
  return {
    secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
    credentialData: JSON.stringify({
      hashIterations: iterations,
      algorithm: `pbkdf2-${digest}`,
      additionalParameters: {},
    }),
  };
}

function keycloakArgon2({ hash }: ForeignPassword) {
  const [, , , , salt = '', value = ''] = hash.split('$');
  const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=');
  const additionalParameters = {
    hashLength: ['32'],
    memory: ['7168'],
    type: ['id'],
    version: ['1.3'],
    parallelism: ['1'],
  };
  return {
    secretData: JSON.stringify({
      value: padded(value),
      salt: padded(salt),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({
      hashIterations: 5,
      algorithm: 'argon2',
      additionalParameters,
    }),
  };
}

/** `firebase auth:export users.json --format=json` */
const firebase: MakeExport = (people) => {
  const users = people.map(({ identifier, password }) => {
    const { hash, salt } = firebaseOf(password);
    return {
      localId: randomBytes(14).toString('hex'),
      email: identifier,
      emailVerified: true,
      passwordHash: hash,
      salt,
      displayName: 'Ada Lovelace',
      lastSignedInAt: String(Date.parse(DATE)),
      createdAt: String(Date.parse(DATE)),
      providerUserInfo: [],
    };
  });
  return Promise.resolve({ name: 'users.json', text: JSON.stringify({ users }, null, 2) });
};

/** The hash parameters, as Firebase's console shows them. */
export const HASH_CONFIG = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${FIREBASE.signer_key},
  base64_salt_separator: ${FIREBASE.salt_separator},
  rounds: ${FIREBASE.rounds},
  mem_cost: ${FIREBASE.mem_cost},
}
`;

/** `COPY (SELECT …) TO STDOUT WITH (FORMAT csv, HEADER)` of auth.users. */
const supabase: MakeExport = async (people) => {
  const rows = people.map(async ({ identifier, password }) => [
    randomUUID(),
    identifier,
    (await bcryptOf(password, 10)).hash.replace('$2b$', '$2a$'),
    '2024-05-06 07:08:09.123+00',
    '',
    '',
    '{"provider": "email", "providers": ["email"]}',
    '{"name": "Ada \\"Countess\\" Lovelace", "note": "one, two"}',
    '',
    '',
  ]);
  const names =
    'id,email,encrypted_password,email_confirmed_at,phone,phone_confirmed_at,raw_app_meta_data,raw_user_meta_data,banned_until,deleted_at';
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const text = (await Promise.all(rows)).map((row) => row.map(quoted).join(','));
  return { name: 'users.csv', text: [names, ...text, ''].join('\n') };
};

/** The tables user and account, joined. */
const betterAuth: MakeExport = (people) => {
  const users = people.map(({ identifier, password }) => {
    const { hash, salt = '' } = scryptOf(password);
    const key = Buffer.from(hash, 'base64').toString('hex');
    return {
      id: randomBytes(16).toString('hex'),
      name: 'Ada Lovelace',
      email: identifier,
      emailVerified: true,
      image: null,
      createdAt: DATE,
      updatedAt: DATE,
      password: `${Buffer.from(salt, 'base64').toString()}:${key}`,
    };
  });
  return Promise.resolve({ name: 'users.json', text: JSON.stringify(users) });
};

/** Rows of the table users, one JSON object per line. */
const logto: MakeExport = async (people) => {
  const users = people.map(async ({ identifier, password }) => ({
    id: randomBytes(6).toString('hex'),
    username: null,
    primary_email: identifier,
    primary_phone: null,
    password_encrypted: await argon2(password, {
      algorithm: ARGON2I,
      memoryCost: 4096,
      timeCost: 256,
      parallelism: 1,
    }),
    password_encryption_method: 'Argon2i',
    name: 'Ada Lovelace',
    custom_data: { plan: 'team' },
    is_suspended: false,
  }));
  return { name: 'users.ndjson', text: lines(await Promise.all(users)) };
};

const ndjson: MakeExport = async (people) => {
  const users = people.map(async ({ identifier, password }) => ({
    identifiers: [{ identifier, verified: true }],
    password: await bcryptOf(password, 10),
  }));
  return { name: 'users.ndjson', text: lines(await Promise.all(users)) };
};

/** Exports by the product's name on the command line. */
export const EXPORTS: Readonly<Record<string, MakeExport>> = {
  auth0,
  keycloak,
  firebase,
  supabase,
  'better-auth': betterAuth,
  logto,
  ndjson,
};
