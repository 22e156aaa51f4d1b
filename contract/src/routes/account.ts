import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { TextLocale } from '../locale.ts';
import { type AgentId, AgentIdSchema } from '../ids.ts';
import type { PagePolicy } from '../reply.ts';
import { listQuery } from '../list.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';
import { ScopesText } from '../scope-schema.ts';
import { closed } from '../shape.ts';
import { DelegationDays } from './delegations.ts';
import { Handoff, ReturnError } from './upstream-logins.ts';

const ACCOUNT = '/account';

export const ACCOUNT_SECTIONS = [
  'overview',
  'profile',
  'addresses',
  'security',
  'sessions',
  'apps',
  'agents',
  'workspaces',
  'log',
  'data',
] as const;
export type AccountSection = (typeof ACCOUNT_SECTIONS)[number];

/** The results that a redirect from an earlier page can report. */
const ACCOUNT_DONE = [
  'address_added',
  'address_removed',
  'address_primary',
  'profile_saved',
  'password_changed',
  'factor_added',
  'factor_removed',
  'factor_renamed',
  'identity_linked',
  'identity_removed',
  'session_ended',
  'sessions_ended',
  'app_ended',
  'agent_ended',
  'agent_allowed',
  'agent_denied',
  'invitation_accepted',
  'invitation_declined',
  'workspace_left',
  'copy_requested',
] as const;
export type AccountDone = (typeof ACCOUNT_DONE)[number];

const Section = Type.Enum([...ACCOUNT_SECTIONS], {
  description: 'Section of the page. Default: `overview`.',
});

const PAGE = {
  styles: true,
  scripts: true,
  images: true,
  fonts: true,
  forms: true,
} as const satisfies PagePolicy;

/** The errors that the page can report. */
const REPORTED_ERRORS = [
  'VALIDATION_FAILED',
  'NOT_FOUND',
  'CODE_WRONG',
  'CURRENT_PASSWORD_WRONG',
  'TOO_MANY_ATTEMPTS',
  'TOO_MANY_MESSAGES',
  'TOO_MANY_FACTORS',
  'TOO_BUSY',
  'METHOD_NOT_READY',
  'DESTINATION_REFUSED',
  'IDENTIFIER_TAKEN',
  'IDENTIFIER_UNVERIFIED',
  'LAST_IDENTIFIER',
  'LAST_LOGIN_METHOD',
  'IDENTITY_TAKEN',
  'PROVIDER_REFUSED',
  'DEFAULT_WORKSPACE_PROTECTED',
  'FACTOR_REQUIRED',
  'FACTOR_MISSING',
  'PASSKEY_REFUSED',
  'ACCOUNT_DELETION_OFF',
  'LAST_ADMINISTRATOR',
  'SCOPE_NOT_HELD',
] as const;

export const showAccount = route({
  id: 'account.show',
  method: 'GET',
  path: ACCOUNT,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Show the user’s account page, on the tenant host',
  description:
    'For browsers. A user who is not signed in signs in first. With `section=agents`, `agent` and `scope`, the page asks whether that agent is allowed to act for the user. The page runs no scripts, except for passkeys and to show times in the browser’s time zone. Identity providers send the browser back to this page with `handoff` or `error`; the identity is linked to the user who started the process.',
  query: closed({
    section: Type.Optional(Section),
    cursor: listQuery.cursor,
    agent: Type.Optional(
      Type.Unsafe<AgentId>({
        ...AgentIdSchema,
        description: 'The agent that asks to act for the user.',
      }),
    ),
    scope: Type.Optional(ScopesText),
    days: Type.Optional(DelegationDays),
    handoff: Type.Optional(Handoff),
    error: Type.Optional(ReturnError),
    done: Type.Optional(
      Type.Enum([...ACCOUNT_DONE], {
        description: 'Result of the last change, shown on the page.',
      }),
    ),
    locale: Type.Optional(TextLocale),
  }),
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['ISSUER_ELSEWHERE', ...REPORTED_ERRORS],
});

export const showAccountByIssuer = atIssuer(showAccount, {
  id: 'account.show_by_issuer',
  path: `${ISSUER_PATH}${ACCOUNT}`,
  summary: 'Show the user’s account page',
});

const field = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }));
const hidden = (maxLength: number, description: string, example: string) =>
  Type.Optional(secret({ maxLength, description, examples: [example] }));

/** The form is read before its session is known, so the page makes pictures smaller than those of the API. */
export const MAX_PICTURE_FIELD_LENGTH = 14 * 1024;

const AccountFields = closed({
  section: Section,
  action: Type.String({
    maxLength: 32,
    description: 'Name of the button that the user pressed.',
    examples: ['end_session'],
  }),
  session: field(64, 'The session that the page was shown in.', 'sess_01m81e4vr3f7k2m9x5q0t6w8za'),
  id: field(320, 'ID of the record to change.', 'sess_01m81e4vr3f7k2m9x5q0t6w8za'),
  identifier: field(320, 'An email address or a phone number.', 'ada@example.com'),
  name: field(128, 'A display name.', 'Phone'),
  picture: field(MAX_PICTURE_FIELD_LENGTH, 'A picture in base64.', '/9j/4AAQ'),
  locale: field(8, 'A language. Empty for none.', 'de'),
  agent: field(
    64,
    'The agent that asks to act for the user.',
    'service:01m81e4vr3f7k2m9x5q0t6w8za',
  ),
  scope: field(2400, 'Scopes that the agent requests, separated by spaces.', 'read:users'),
  days: field(3, 'Lifetime in days.', '90'),
  secret: hidden(1024, 'A new password.', 'correct horse battery staple'),
  current: hidden(1024, 'The current password.', 'incorrect horse battery staple'),
  code: hidden(64, 'A code.', '49203911'),
  credential: hidden(12_000, 'The new passkey, as JSON.', '{}'),
});

export const submitAccount = route({
  id: 'account.submit',
  method: 'POST',
  path: ACCOUNT,
  access: 'tenant',
  errorForm: 'page',
  form: 'page',
  cookies: ['session', 'flow', 'locale'],
  summary: 'Change the user’s account on its page, on the tenant host',
  description:
    'Handles the forms of the page. Each action has the same effect as the API route of that name. Errors are shown on the page.',
  body: AccountFields,
  ok: { kind: 'redirect', status: 303, policy: PAGE },
  errors: ['ISSUER_ELSEWHERE', 'REQUEST_INVALID', 'FORM_TOO_OLD', ...REPORTED_ERRORS],
});

export const submitAccountByIssuer = atIssuer(submitAccount, {
  id: 'account.submit_by_issuer',
  path: `${ISSUER_PATH}${ACCOUNT}`,
  summary: 'Change the user’s account on its page',
});

export const ACCOUNT_ROUTES = [
  showAccount,
  showAccountByIssuer,
  submitAccount,
  submitAccountByIssuer,
];
