import Type, { type Static } from 'typebox';
import { ACTOR_KINDS, AUDIT_ACTION_NAMES, TARGET_KINDS } from '../audit.ts';
import { AuditDetails } from './audit-entry.ts';
import { timestamp } from './record-fields.ts';

/** The conditions that deny access as a whole or limit the scopes, each with its description. */
export const REASONS = {
  scope_missing: 'The subject does not hold the scope.',
  scope_invalid:
    'Unknown scope. The action must be read, write, delete or *, and the resource type * or a lower-case name of at most 64 characters.',
  workspace_unknown: 'Unknown workspace.',
  token_malformed: 'The value is not a token of this service and not an API key.',
  token_tenant_mismatch: 'The token was issued by another tenant.',
  signature_invalid: 'The token is not signed by a published key of this tenant.',
  token_type_mismatch: 'The token is valid but is not an access token.',
  token_expired: 'The token has expired.',
  token_audience_mismatch: 'The issuer or audience of the token no longer matches the tenant’s.',
  token_outdated:
    'The subject’s permissions have changed since the token was issued. A new token will reflect them.',
  token_scope_limited: 'The token was issued with fewer scopes than its subject holds.',
  impersonation_ended: 'The impersonation by the system administrator has ended.',
  user_unknown: 'Unknown user.',
  user_inactive: 'The user is not active.',
  session_unknown: 'The session no longer exists.',
  session_ended: 'The session was ended.',
  agent_unknown: 'Unknown agent.',
  agent_inactive: 'The agent is not active.',
  api_key_unknown: 'Unknown API key.',
  api_key_revoked: 'The API key was revoked.',
  api_key_expired: 'The API key has expired.',
  api_key_scope_limited: 'The API key has fewer scopes than its agent.',
  delegation_unknown: 'The delegation no longer exists.',
  delegation_revoked: 'The delegation was revoked.',
  delegation_expired: 'The delegation has expired.',
  delegation_scope_limited: 'The user delegated fewer scopes than they hold.',
  workspace_inactive: 'The workspace is not active.',
  workspace_membership_missing: 'The subject is not a member of the workspace.',
} as const satisfies Record<string, string>;

export type ReasonCode = keyof typeof REASONS;
const REASON_CODES = Object.keys(REASONS) as ReasonCode[];

/** The kinds of sources that grant scopes. */
const SOURCE_KINDS = ['role', 'agent', 'api_key', 'delegation', 'impersonation'] as const;

const Scope = Type.String({
  description: 'One of the requested scopes.',
  examples: ['write:users'],
});
const nullable = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

const Change = Type.Object(
  {
    action: Type.Enum([...AUDIT_ACTION_NAMES], {
      description: 'The action.',
      examples: ['user.updated'],
    }),
    at: timestamp('Time of the change.'),
    by: Type.Object(
      {
        kind: Type.Enum([...ACTOR_KINDS], { description: 'Type of the actor.' }),
        sub: nullable(
          '`user:<id>`, `service:<id>`, or the name of a component of the service.',
          'user:01m81cy9n0e3raphkd6b1e1h4d',
        ),
        on_behalf_of: nullable('The user that a delegate acts for.', null),
      },
      { description: 'The actor that performed the action.' },
    ),
    target: Type.Object(
      {
        kind: Type.Enum([...TARGET_KINDS], { description: 'Type of the target.' }),
        name: nullable('ID or name of the target.', 'user:01m817qnm0e599bza8yqh63kxq'),
      },
      { description: 'The target of the action.' },
    ),
    details: AuditDetails,
  },
  { $id: 'ExplainedChange', description: 'The change, as recorded in the audit log.' },
);
export type ExplainedChange = Static<typeof Change>;

export const Grants = Type.Array(
  Type.Object({
    kind: Type.Enum([...SOURCE_KINDS], { description: 'Type of the source.' }),
    name: Type.String({
      description: 'Name of a role, or ID of any other source.',
      examples: ['reader'],
    }),
    scope: Type.String({ description: 'The granted scope.', examples: ['read:users'] }),
    covered_by: Type.String({
      description: 'The scope of the source that covers the granted scope.',
      examples: ['read:*'],
    }),
  }),
  { description: 'The sources that grant each scope.' },
);

export const Removals = Type.Array(Type.Object({ scope: Scope, change: Change }), {
  description:
    'For each missing scope that the subject held before: the last change that removed it.',
});

export const Reason = Type.Object({
  code: Type.Enum([...REASON_CODES], { description: 'Stable, machine-readable code.' }),
  detail: Type.String({ description: 'Human-readable description.' }),
  name: Type.Optional(Type.String({ description: 'ID of the affected record.' })),
  scopes: Type.Optional(
    Type.Array(Scope, { description: 'Scopes that are denied for this reason.' }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why the session or key ended.' })),
  at: Type.Optional(
    Type.String({ format: 'date-time', description: 'Time since which the reason applies.' }),
  ),
  change: Type.Optional(Change),
});

export const Explanation = Type.Object(
  {
    allowed: Type.Boolean({
      description: 'Whether the subject holds all of the scopes.',
      examples: [false],
    }),
    missing: Type.Array(Scope, { description: 'Scopes that the subject does not hold.' }),
    grants: Grants,
    removals: Removals,
    reasons: Type.Array(Reason, {
      description: 'Reasons that deny access altogether, or limit the scopes.',
      examples: [[]],
    }),
  },
  { $id: 'Explanation', description: 'Why a subject is or is not allowed to do something.' },
);
export type Explanation = Static<typeof Explanation>;
