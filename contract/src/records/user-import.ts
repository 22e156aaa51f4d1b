import Type, { type Static } from 'typebox';
import { type UserId, UserIdSchema } from '../ids.ts';
import { closed } from '../shape.ts';
import { EXPECTS } from '../expectation.ts';
import { PROFILE } from './profile.ts';
import { RoleName } from './role.ts';
import { secret } from './tokens.ts';
import { IdentifierRecord, Metadata, UserMetadata } from './user.ts';

/** Users in one request. */
export const MAX_IMPORT_LINES = 1000;

const base64 = (description: string, maxLength: number) =>
  secret({
    pattern: `^[A-Za-z0-9+/_-]{1,${maxLength}}={0,2}$`,
    [EXPECTS]: 'base64',
    description: `${description}, in base64.`,
  });
const count = (description: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description });

/** A hash and its parameters. The service checks which fields a scheme has, and their ranges. */
export const ForeignPassword = closed(
  {
    scheme: Type.Enum(['bcrypt', 'argon2', 'pbkdf2', 'scrypt', 'firebase_scrypt'], {
      description: 'The algorithm.',
      examples: ['bcrypt'],
    }),
    hash: secret({
      minLength: 1,
      maxLength: 1024,
      description:
        'For bcrypt and Argon2: the encoded hash with its parameters and salt. For other algorithms: the bytes of the hash, in base64.',
      examples: ['$2b$10$K1D0yq6f0w9G5yqgJrYpMeB1cTq0eG1hYkW7cC2yIuQwH1mJ1c0jK'],
    }),
    salt: Type.Optional(base64('The salt', 512)),
    digest: Type.Optional(
      Type.Enum(['sha1', 'sha256', 'sha512'], { description: 'PBKDF2: the hash function.' }),
    ),
    iterations: Type.Optional(
      count(
        'PBKDF2: the number of iterations. Multiplied by the number of digests in the hash, at most 1,000,000, or 500,000 for SHA-512.',
        1_000_000,
      ),
    ),
    cost: Type.Optional(count('scrypt: N, a power of two.', 65_536 * 8)),
    block_size: Type.Optional(count('scrypt: r.', 64)),
    parallelism: Type.Optional(count('scrypt: p. 128 · N · r · p can be at most 128 MiB.', 4)),
    normalization: Type.Optional(
      Type.Enum(['nfkc'], {
        description:
          'scrypt: how passwords were normalized before they were hashed. Default: not normalized.',
      }),
    ),
    rounds: Type.Optional(count('Firebase: `rounds`.', 64)),
    mem_cost: Type.Optional(count('Firebase: `mem_cost`.', 19)),
    salt_separator: Type.Optional(base64('Firebase: `base64_salt_separator`', 64)),
    signer_key: Type.Optional(
      base64('Firebase: `base64_signer_key`. Used by the import only, and not stored.', 256),
    ),
  },
  { $id: 'ForeignPassword', description: 'A password as another product hashed it.' },
);
export type ForeignPassword = Static<typeof ForeignPassword>;

/** One line of an import. */
export const ImportedUser = closed(
  {
    identifiers: Type.Array(
      closed({
        type: Type.Optional(IdentifierRecord.properties.type),
        identifier: Type.String({
          minLength: 3,
          maxLength: 254,
          description: 'An email address, or a phone number in E.164 format.',
          examples: ['ada@example.com'],
        }),
        verified: Type.Optional(
          Type.Boolean({
            description: 'Whether the identifier was verified to belong to the user.',
          }),
        ),
      }),
      { minItems: 1, maxItems: 16, description: 'Identifiers that the user can sign in with.' },
    ),
    name: Type.Optional(PROFILE.name),
    picture: Type.Optional(PROFILE.picture),
    password: Type.Optional(ForeignPassword),
    roles: Type.Optional(
      Type.Array(RoleName, {
        maxItems: 64,
        uniqueItems: true,
        description: 'Roles of the user. Default: `member`.',
      }),
    ),
    is_active: Type.Optional(
      Type.Boolean({ description: 'Whether the user is active. Inactive users cannot sign in.' }),
    ),
    metadata: Type.Optional(Metadata),
    user_metadata: Type.Optional(UserMetadata),
  },
  {
    $id: 'ImportedUser',
    description: 'A user to import.',
    examples: [
      {
        identifiers: [{ identifier: 'ada@example.com', verified: true }],
        password: {
          scheme: 'bcrypt',
          hash: '$2b$10$K1D0yq6f0w9G5yqgJrYpMeB1cTq0eG1hYkW7cC2yIuQwH1mJ1c0jK',
        },
      },
    ],
  },
);
export type ImportedUser = Static<typeof ImportedUser>;

const number = (description: string) => Type.Integer({ description, examples: [1] });

export const ImportResult = Type.Object(
  {
    line: Type.Integer({ description: 'Line number, starting at 1.', examples: [1] }),
    status: Type.Enum(['created', 'existing', 'failed'], {
      description:
        '`existing`: one user already has all of the identifiers. That user is not changed.',
      examples: ['created'],
    }),
    subject: Type.Optional(
      Type.Unsafe<UserId>({ ...UserIdSchema, description: 'The created or existing user.' }),
    ),
    error: Type.Optional(
      Type.Object(
        {
          code: Type.Enum(
            [
              'JSON_INVALID',
              'VALIDATION_FAILED',
              'HASH_UNSUPPORTED',
              'IDENTIFIER_TAKEN',
              'ROLE_UNKNOWN',
              'SCOPE_NOT_HELD',
            ],
            { description: 'Stable, machine-readable code.', examples: ['HASH_UNSUPPORTED'] },
          ),
          path: Type.String({
            description: 'JSON pointer to the field in the line. Empty for the whole line.',
            examples: ['/password/hash'],
          }),
          message: Type.String({
            description: 'What is wrong.',
            examples: ['has a cost of more than 13'],
          }),
        },
        { description: 'Why the line was not imported.' },
      ),
    ),
  },
  { $id: 'ImportResult', description: 'The result for one line.' },
);
export type ImportResult = Static<typeof ImportResult>;

export const UserImport = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether this was a dry run that changed nothing.' }),
    created: number('Number of created users.'),
    existing: number('Number of users that already existed.'),
    failed: number('Number of lines that were not imported.'),
    results: Type.Array(ImportResult, {
      description: 'Results, one for each line that is not blank.',
    }),
  },
  { $id: 'UserImport', description: 'The result of an import.' },
);
export type UserImport = Static<typeof UserImport>;
