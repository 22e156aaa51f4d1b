import Type, { type Static } from 'typebox';
import { ACTOR_KINDS, AUDIT_ACTION_NAMES, OUTCOMES, TARGET_KINDS } from '../audit.ts';
import { AuditEntryIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt } from './record-fields.ts';
import { EXAMPLE_JWT } from './tokens.ts';

const Nullable = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const Names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** The details of an entry, which never contain a secret. */
export const AuditDetails = Type.Object(
  {
    scopes_added: Names('Scopes that the target gained.'),
    scopes_removed: Names('Scopes that the target lost.'),
    roles_added: Names('Roles that the user gained.'),
    roles_removed: Names('Roles that the user lost.'),
    fields: Names('Names of the changed fields.'),
    reason: Type.Optional(
      Type.String({
        description: 'Why the action was rejected, or the reason that the caller gave.',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'Additional details. They depend on the action.',
    examples: [{ fields: ['roles'], roles_removed: ['editor'], scopes_removed: ['write:users'] }],
  },
);
export type AuditDetails = Static<typeof AuditDetails> & Readonly<Record<string, unknown>>;

export const AuditEntry = Type.Object(
  {
    id: AuditEntryIdSchema,
    tenant_id: TenantIdSchema,
    created_at: CreatedAt,
    actor: Type.Object(
      {
        kind: Type.Enum([...ACTOR_KINDS], {
          description:
            'Type of the actor. `impersonator` is a system administrator who acts inside the tenant.',
        }),
        id: Nullable(
          '`user:<id>`, `service:<id>`, or the name of a component of the service.',
          'user:01m817qnm0e599bza8yqh63kxq',
        ),
        on_behalf_of: Nullable('The user that a delegate acts for.', null),
        credential: Nullable(
          'ID of the session, API key or grant that was used.',
          'session:01m8184fs0eaf81caj1xgnzy8b',
        ),
      },
      { description: 'The actor that performed the action.' },
    ),
    action: Type.Enum([...AUDIT_ACTION_NAMES], {
      description: 'The action.',
      examples: ['user.updated'],
    }),
    target: Type.Object(
      {
        kind: Type.Enum([...TARGET_KINDS], { description: 'Type of the target.' }),
        id: Nullable('ID or name of the target.', 'user:01m81cy9n0e3raphkd6b1e1h4d'),
      },
      { description: 'The target of the action.' },
    ),
    outcome: Type.Enum([...OUTCOMES], {
      description:
        '`failure`: the credential or data was rejected. `denied`: the caller was not allowed to perform the action.',
    }),
    address: Nullable('IP address of the request.', '203.0.113.7'),
    request_id: Nullable(
      'The `x-request-id` response header. It also appears in the logs.',
      'zNeVo6tgW6XA8RirUW4vQg',
    ),
    count: Type.Integer({
      description:
        'Number of events of the same kind that this entry represents: 1, or more during a flood of events.',
      examples: [1],
    }),
    details: AuditDetails,
    mac: Type.Optional(
      Type.String({
        description:
          'Message authentication code that only the service can compute. It proves that the service wrote the entry and that the entry is unchanged. An entry without one is forged.',
        examples: ['OuCNCUuFyVxbXePBz9FsTR_2_ct_GvI8v3E8dKq_R1o'],
      }),
    ),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Position in the chain, starting at 1; `null` until the entry is sealed, a few seconds later.',
      examples: [1],
    }),
    previous_hash: Nullable('The `hash` of the previous entry; `null` for the first entry.', null),
    hash: Nullable(
      'SHA-256 of the canonical JSON (RFC 8785) of all other fields.',
      'vwMPgZsuX9EUrcqsV3DdOgvrSE0b9LMZ70kJcF1pUYI',
    ),
  },
  {
    $id: 'AuditEntry',
    description: 'A record of an action: the actor, the target, the origin and the outcome.',
  },
);
export type AuditEntry = Static<typeof AuditEntry> & { readonly details: AuditDetails };

export const AuditCheckpoint = Type.Object(
  {
    tenant_id: TenantIdSchema,
    position: Type.Integer({
      description: 'Position of the last entry that the checkpoint covers.',
      examples: [1],
    }),
    token: Type.String({
      description:
        'A JWS (EdDSA, `typ` `audit-checkpoint+jwt`) that contains `tenant_id`, `position`, `hash` and `iat`, signed with a key of the tenant.',
      examples: [EXAMPLE_JWT],
    }),
    created_at: CreatedAt,
  },
  { $id: 'AuditCheckpoint', description: 'A signed head of a tenant’s audit log.' },
);
export type AuditCheckpoint = Static<typeof AuditCheckpoint>;
