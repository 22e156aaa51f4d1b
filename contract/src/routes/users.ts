import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { pathId, UserIdSchema, UserIdsText, WorkspaceIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { PROFILE } from '../records/profile.ts';
import { RoleName } from '../records/role.ts';
import { ImportedUser, MAX_IMPORT_LINES, UserImport } from '../records/user-import.ts';
import { UserDryRun } from '../records/dependents.ts';
import { UserProtection } from '../records/user-protection.ts';
import { IdentifierRecord, Metadata, UserMetadata, UserRecord } from '../records/user.ts';
import { API_BASE, route } from '../route.ts';
import { closed, LINE_OF_TEXT } from '../shape.ts';
import {
  booleanText,
  deleted,
  DRY_RUN,
  IdentifierText,
  JSON_LINES,
  moment,
  SecretText,
} from './fields.ts';

const userPath = Type.Object({ user_id: pathId(UserIdSchema) });
const RoleNames = Type.Array(RoleName, {
  maxItems: 64,
  uniqueItems: true,
  description: 'Roles of the user.',
});

const userFilters = {
  ids: Type.Optional(UserIdsText),
  role: Type.Optional(RoleName),
  workspace_id: Type.Optional(WorkspaceIdSchema),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      ...LINE_OF_TEXT,
      description:
        'Any part of a name, an email address or a phone number, or the ID of a user. Ignores case and, in names, accents; % and _ are literal characters.',
    }),
  ),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      ...LINE_OF_TEXT,
      description:
        'Any part of an email address. Case-insensitive; % and _ are literal characters.',
    }),
  ),
  is_active: Type.Optional(booleanText('Only active or only inactive users.')),
  is_verified: Type.Optional(
    booleanText(
      'With `true`, only users with a verified identifier. With `false`, only users without one.',
    ),
  ),
  has_logged_in: Type.Optional(
    booleanText(
      'With `true`, only users who have signed in. With `false`, only users who never have.',
    ),
  ),
  last_login_before: Type.Optional(
    moment('Only users whose last login, to the minute, was before this time (RFC 3339).'),
  ),
};

export const listUsers = route({
  id: 'users.list',
  method: 'GET',
  path: `${API_BASE}/users`,
  access: { scope: 'read:users' },
  summary: 'List users',
  description:
    'Newest first by default. If you send several filters, all of them must match. In a tenant with more than 10,000 users, a page can have fewer users than `limit`, or none, although there is a `next_cursor`: reading stops after some thousand users that do not match. Continue with the cursor; a page number would skip users.',
  query: closed({
    ...listQuery,
    sort: Type.Optional(
      Type.Enum(
        [
          'created_at',
          '-created_at',
          'identifier',
          '-identifier',
          'name',
          '-name',
          'last_login_at',
          '-last_login_at',
        ],
        {
          description:
            'Sort order: by age, first identifier, name or last login. `-` reverses the order. Users without a name come after all names, and users who have never signed in come before all logins. Default: `-created_at`.',
        },
      ),
    ),
    ...userFilters,
    ...OF_TENANT,
  }),
  ok: { status: 200, body: listOf(UserRecord) },
  errors: ['VALIDATION_FAILED'],
});

const ExportedUsers = Type.String({
  description: 'One `User` per line.',
  examples: [`${JSON.stringify(exampleOf(UserRecord))}\n`],
});

export const exportUsers = route({
  id: 'users.export',
  method: 'GET',
  path: `${API_BASE}/users/export`,
  access: { scope: 'read:users' },
  summary: 'Export users',
  description:
    'Exports users as JSON lines, oldest first, with the filters of the list. Users who are created during the export are included. The audit log records who exported how many users.',
  query: closed(userFilters),
  ok: { kind: 'lines', status: 200, contentType: JSON_LINES, body: ExportedUsers },
  errors: ['VALIDATION_FAILED'],
});

export const getProtection = route({
  id: 'users.get_protection',
  method: 'GET',
  path: `${API_BASE}/users/protection`,
  access: { scope: 'read:users' },
  summary: 'Count users by second factor',
  description:
    'Counts the newest 10,000 active users. Factors that are not confirmed do not count.',
  ok: { status: 200, body: UserProtection },
  errors: [],
});

export const getUser = route({
  id: 'users.get',
  method: 'GET',
  path: `${API_BASE}/users/:user_id`,
  access: { scope: 'read:users' },
  summary: 'Get a user',
  description: 'Returns the user with identifiers, roles and workspaces. Secrets are never shown.',
  params: userPath,
  ok: { status: 200, body: UserRecord },
  errors: ['NOT_FOUND'],
});

export const createUser = route({
  id: 'users.create',
  method: 'POST',
  path: `${API_BASE}/users`,
  access: { scope: 'write:users' },
  summary: 'Create a user',
  description:
    'The default role is `member`. You cannot assign a role with scopes that you do not hold.',
  body: closed({
    identifier: IdentifierText,
    password: SecretText,
    name: Type.Optional(PROFILE.name),
    picture: Type.Optional(PROFILE.picture),
    roles: Type.Optional(RoleNames),
  }),
  idempotent: true,
  ok: { status: 201, body: UserRecord },
  errors: ['VALIDATION_FAILED', 'IDENTIFIER_TAKEN', 'ROLE_UNKNOWN', 'SCOPE_NOT_HELD', 'TOO_BUSY'],
});

export const importUsers = route({
  id: 'users.import',
  method: 'POST',
  path: `${API_BASE}/users/import`,
  access: { scope: 'write:users' },
  summary: 'Import users',
  description:
    'Creates users from JSON lines, with passwords hashed by another product: bcrypt, Argon2, PBKDF2, scrypt, and Firebase’s variant of scrypt. At the first login with the right password, the hash is replaced. The rules for new passwords do not apply. If a line fails, the others are still imported. A line whose identifiers all belong to one existing user changes nothing, so you can repeat an import. With `dry_run=true`, checks every line and changes nothing.',
  query: closed({ dry_run: Type.Optional(DRY_RUN) }),
  lines: { schema: ImportedUser, max: MAX_IMPORT_LINES },
  maxBodyBytes: 2 * 1024 * 1024,
  ok: { status: 200, body: UserImport },
  errors: ['VALIDATION_FAILED'],
});

export const updateUser = route({
  id: 'users.update',
  method: 'PATCH',
  path: `${API_BASE}/users/:user_id`,
  access: { scope: 'write:users' },
  summary: 'Update a user',
  description:
    'Lists replace the current ones. A new password, and `is_active: false`, end all sessions of the user immediately.',
  params: userPath,
  body: closed(
    {
      name: Type.Optional(PROFILE.name),
      picture: Type.Optional(PROFILE.picture),
      identifiers: Type.Optional(
        Type.Array(
          closed({
            type: Type.Optional(IdentifierRecord.properties.type),
            identifier: IdentifierText,
            verified: Type.Optional(
              Type.Boolean({
                description: 'Whether the identifier was verified to belong to the user.',
              }),
            ),
          }),
          {
            minItems: 1,
            maxItems: 16,
            description:
              'Identifiers in the form that `GET` returns. `type` and `verified` are optional. A known identifier keeps its `verified`, and a new one is not verified.',
          },
        ),
      ),
      password: Type.Optional(SecretText),
      roles: Type.Optional(RoleNames),
      workspaces: Type.Optional(
        Type.Array(WorkspaceIdSchema, {
          maxItems: 256,
          uniqueItems: true,
          description: 'Replaces the workspaces that the user belongs to.',
        }),
      ),
      is_active: Type.Optional(
        Type.Boolean({ description: 'Whether the user is active. Inactive users cannot sign in.' }),
      ),
      metadata: Type.Optional(Metadata),
      user_metadata: Type.Optional(UserMetadata),
    },
    { minProperties: 1, examples: [{ roles: ['reader'], metadata: { plan: { name: 'team' } } }] },
  ),
  ok: { status: 200, body: UserRecord },
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'IDENTIFIER_TAKEN',
    'ROLE_UNKNOWN',
    'SCOPE_NOT_HELD',
    'PRINCIPAL_PROTECTED',
    'SELF_VERIFICATION_REFUSED',
    'LAST_ADMINISTRATOR',
    'TOO_BUSY',
  ],
});

export const deleteUser = route({
  id: 'users.delete',
  method: 'DELETE',
  path: `${API_BASE}/users/:user_id`,
  access: { scope: 'delete:users' },
  summary: 'Delete a user',
  description:
    'Irreversible. All sessions of the user and all delegations that they gave end immediately. Agents that they own keep working, and `owner_id` still names the user; to stop these agents as well, disable the user first. With `dry_run=true`, returns the user’s dependents and changes nothing.',
  params: userPath,
  query: closed({ dry_run: Type.Optional(DRY_RUN) }),
  ok: {
    status: 200,
    body: Type.Union([deleted(UserIdSchema), UserDryRun]),
  },
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'SCOPE_NOT_HELD',
    'PRINCIPAL_PROTECTED',
    'LAST_ADMINISTRATOR',
  ],
});
