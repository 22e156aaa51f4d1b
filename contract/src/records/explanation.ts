import Type, { type Static } from 'typebox';
import { ACTOR_KINDS, AUDIT_ACTION_NAMES, TARGET_KINDS } from '../audit.ts';
import { AuditDetails } from './audit-entry.ts';
import { timestamp } from './record-fields.ts';

/** What stands in the way of somebody as a whole, or narrows what they have, and how it is told. */
export const FACTS = {
  scope_missing: 'The subject does not hold the scope.',
  scope_invalid:
    'There is no such scope: the action is read, write, delete or *, and the resource type * or a lower-case name of at most 64 characters.',
  workspace_unknown: 'There is no such workspace.',
  token_malformed: 'It is neither a token of this service nor an API key.',
  token_of_another_tenant: 'The token says that it is of another tenant.',
  signature_invalid: 'No key that this tenant publishes has signed the token.',
  token_of_another_kind: 'The token is genuine, but it is no access token.',
  token_expired: 'The token has expired.',
  token_addressed_elsewhere: 'The token has another issuer or audience than the tenant has now.',
  token_outdated:
    'What the subject may do has changed since the token was issued. A new one tells what is so now.',
  token_narrower: 'The token was issued for fewer scopes than its subject has.',
  impersonation_ended: 'The impersonation by the system administrator has ended.',
  user_unknown: 'There is no such user.',
  user_inactive: 'The user is not active.',
  session_unknown: 'There is no such session any more.',
  session_ended: 'The session was ended.',
  agent_unknown: 'There is no such agent.',
  agent_inactive: 'The agent is not active.',
  api_key_unknown: 'There is no such API key.',
  api_key_revoked: 'The API key was revoked.',
  api_key_expired: 'The API key has expired.',
  api_key_narrower: 'The API key has fewer scopes than its agent.',
  delegation_unknown: 'There is no such delegation any more.',
  delegation_revoked: 'The delegation was revoked.',
  delegation_expired: 'The delegation has expired.',
  delegation_narrower: 'The user has delegated fewer scopes than they have.',
  workspace_inactive: 'The workspace is not active.',
  workspace_outside: 'They do not belong to the workspace.',
} as const satisfies Record<string, string>;

export type FactCode = keyof typeof FACTS;
const FACT_CODES = Object.keys(FACTS) as FactCode[];

/** The kinds of things that give scopes. */
const SOURCE_KINDS = ['role', 'agent', 'api_key', 'delegation', 'impersonation'] as const;

const Scope = Type.String({
  description: 'One of the scopes that were asked about.',
  examples: ['write:users'],
});
const nullable = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

const Change = Type.Object(
  {
    action: Type.Enum([...AUDIT_ACTION_NAMES], {
      description: 'What was done.',
      examples: ['user.updated'],
    }),
    at: timestamp('When it was done.'),
    by: Type.Object(
      {
        kind: Type.Enum([...ACTOR_KINDS], { description: 'What the actor is.' }),
        sub: nullable(
          '`user:<id>`, `service:<id>`, or the name of a part of the service.',
          'user:01m81cy9n0e3raphkd6b1e1h4d',
        ),
        on_behalf_of: nullable('The user whom a delegate acts for.', null),
      },
      { description: 'Who did it.' },
    ),
    target: Type.Object(
      {
        kind: Type.Enum([...TARGET_KINDS], { description: 'What the target is.' }),
        name: nullable('Its id or name.', 'user:01m817qnm0e599bza8yqh63kxq'),
      },
      { description: 'What it was done to.' },
    ),
    details: AuditDetails,
  },
  { $id: 'ExplainedChange', description: 'What an entry of the audit log tells.' },
);
export type ExplainedChange = Static<typeof Change>;

export const Because = Type.Array(
  Type.Object({
    kind: Type.Enum([...SOURCE_KINDS], { description: 'What gives the scope.' }),
    name: Type.String({
      description: 'The name of a role, the id of anything else.',
      examples: ['reader'],
    }),
    scope: Type.String({ description: 'The scope that it gives.', examples: ['read:users'] }),
    held: Type.String({
      description: 'The scope of it that covers the one asked about.',
      examples: ['read:*'],
    }),
  }),
  { description: 'What gives each scope.' },
);

export const Lost = Type.Array(Type.Object({ scope: Scope, change: Change }), {
  description: 'For each scope that was there once: the change that took it away last.',
});

export const Reason = Type.Object({
  code: Type.Enum([...FACT_CODES], { description: 'What it is, for programs.' }),
  detail: Type.String({ description: 'A sentence for people.' }),
  name: Type.Optional(Type.String({ description: 'The id of what it is about.' })),
  scopes: Type.Optional(Type.Array(Scope, { description: 'Those that it keeps back.' })),
  reason: Type.Optional(Type.String({ description: 'Why a session or a key ended.' })),
  at: Type.Optional(Type.String({ format: 'date-time', description: 'Since when.' })),
  change: Type.Optional(Change),
});

export const Explanation = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether nothing is missing.', examples: [false] }),
    missing: Type.Array(Scope, { description: 'The scopes that they lack.' }),
    because: Because,
    lost: Lost,
    facts: Type.Array(Reason, {
      description: 'What is in the way of them as a whole, or narrows what they have.',
      examples: [[]],
    }),
  },
  { $id: 'Explanation', description: 'Why somebody may do something, or not.' },
);
export type Explanation = Static<typeof Explanation>;
