import type { Row } from './row.ts';

const USER = 'user:01k9z3v5m8q2r4t6w8y0a2c4e6';
const INVITATION = 'inv_01k9z3v5m8q2r4t6w8y0a2c4e6';

export const USERS: readonly Row[] = [
  {
    name: 'user list',
    route: 'users.list',
    summary: 'list users',
    columns: ['id', 'is_active', 'created_at', 'roles', 'identifiers'],
    examples: [
      'keywright user list --role admin',
      'keywright user list --email @acme.example --limit 500 --json',
    ],
  },
  {
    name: 'user show',
    route: 'users.get',
    summary: 'show a user',
    examples: [`keywright user show ${USER}`],
  },
  {
    name: 'user create',
    route: 'users.create',
    summary: 'create a user; prompts for the password or reads it from standard input',
    examples: [
      'keywright user create --identifier ann@acme.example --role member',
      'keywright user create --identifier ann@acme.example --password-stdin < password.txt',
    ],
  },
  {
    name: 'user update',
    route: 'users.update',
    summary: 'update a user',
    examples: [
      `keywright user update ${USER} --role admin --role auditor`,
      `keywright user update ${USER} --is-active false`,
      `keywright user update ${USER} --input changes.json`,
    ],
  },
  {
    name: 'user disable',
    route: 'users.disable',
    summary: 'deactivate a user and revoke all of their access in one step',
    examples: [`keywright user disable ${USER}`],
  },
  {
    name: 'user recover',
    route: 'users.recover',
    summary: 'send a user a message to set a new password',
    examples: [`keywright user recover ${USER}`],
  },
  {
    name: 'user unlock',
    route: 'users.unlock',
    summary: 'lift the limits on wrong passwords and codes of a user',
    examples: [`keywright user unlock ${USER}`],
  },
  {
    name: 'user delete',
    route: 'users.delete',
    summary: 'permanently delete a user',
    examples: [`keywright user delete ${USER} --dry-run`, `keywright user delete ${USER}`],
  },
];

export const INVITATIONS: readonly Row[] = [
  {
    name: 'invitation list',
    route: 'invitations.list',
    summary: 'list invitations',
    columns: ['id', 'status', 'expires_at', 'identifier', 'roles'],
    examples: ['keywright invitation list --status pending'],
  },
  {
    name: 'invitation show',
    route: 'invitations.get',
    summary: 'show an invitation',
    examples: [`keywright invitation show ${INVITATION}`],
  },
  {
    name: 'invitation create',
    route: 'invitations.create',
    summary: 'invite a person by email',
    examples: ['keywright invitation create --identifier ann@acme.example --role member'],
  },
  {
    name: 'invitation resend',
    route: 'invitations.resend',
    summary: 'resend an invitation',
    examples: [`keywright invitation resend ${INVITATION}`],
  },
  {
    name: 'invitation revoke',
    route: 'invitations.delete',
    summary: 'revoke an invitation',
    examples: [`keywright invitation revoke ${INVITATION}`],
  },
];
