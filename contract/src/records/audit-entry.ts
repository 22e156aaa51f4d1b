import Type, { type Static } from 'typebox';
import { ACTOR_KINDS, AUDIT_ACTION_NAMES, OUTCOMES, TARGET_KINDS } from '../audit.ts';
import { AuditEntryIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt } from './record-fields.ts';
import { EXAMPLE_JWT } from './tokens.ts';

const Nullable = (description: string, example: string | null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const Names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** What an entry tells beside its own fields. Never a secret. */
export const AuditDetails = Type.Object(
  {
    scopes_gained: Names('Scopes that the target has from then on.'),
    scopes_lost: Names('Scopes that the target no longer has.'),
    roles_gained: Names('Roles that the user has from then on.'),
    roles_lost: Names('Roles that the user no longer has.'),
    fields: Names('Names of the fields that changed.'),
    reason: Type.Optional(
      Type.String({ description: 'Why it was refused, or the reason that was given.' }),
    ),
  },
  {
    additionalProperties: true,
    description: 'What else there is to tell; further fields depend on the action.',
    examples: [{ fields: ['roles'], roles_lost: ['editor'], scopes_lost: ['write:users'] }],
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
            'What the actor is; `impersonator` is a system administrator acting inside the tenant.',
        }),
        id: Nullable(
          '`user:<id>`, `service:<id>`, or the name of a part of the service.',
          'user:01m817qnm0e599bza8yqh63kxq',
        ),
        on_behalf_of: Nullable('The user whom a delegate acts for.', null),
        credential: Nullable(
          'The session, API key or grant that was used.',
          'session:01m8184fs0eaf81caj1xgnzy8b',
        ),
      },
      { description: 'Who did it.' },
    ),
    action: Type.Enum([...AUDIT_ACTION_NAMES], {
      description: 'What was done.',
      examples: ['user.updated'],
    }),
    target: Type.Object(
      {
        kind: Type.Enum([...TARGET_KINDS], { description: 'What the target is.' }),
        id: Nullable('Its id or its name.', 'user:01m81cy9n0e3raphkd6b1e1h4d'),
      },
      { description: 'What it was done to.' },
    ),
    outcome: Type.Enum([...OUTCOMES], {
      description:
        '`failure`: rejected for what was presented; `denied`: rejected for who presented it.',
    }),
    address: Nullable('The IP address that the request came from.', '203.0.113.7'),
    request_id: Nullable(
      'As in the header `x-request-id` of the answer, and in the log.',
      'zNeVo6tgW6XA8RirUW4vQg',
    ),
    count: Type.Integer({
      description: 'How many of the same kind this entry stands for: 1 but for floods.',
      examples: [1],
    }),
    details: AuditDetails,
    mac: Type.Optional(
      Type.String({
        description:
          'Which only the service can make and check: it wrote the entry, just so. An entry without one is forged.',
        examples: ['OuCNCUuFyVxbXePBz9FsTR_2_ct_GvI8v3E8dKq_R1o'],
      }),
    ),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Its place in the chain, from 1; null until it is sealed, seconds later.',
      examples: [1],
    }),
    previous_hash: Nullable('`hash` of the entry before it; null for the first.', null),
    hash: Nullable(
      'SHA-256 of the canonical JSON (RFC 8785) of all the fields but this one.',
      'vwMPgZsuX9EUrcqsV3DdOgvrSE0b9LMZ70kJcF1pUYI',
    ),
  },
  { $id: 'AuditEntry', description: 'Who did what, on what, from where, and how it came out.' },
);
export type AuditEntry = Static<typeof AuditEntry> & { readonly details: AuditDetails };

export const AuditCheckpoint = Type.Object(
  {
    tenant_id: TenantIdSchema,
    position: Type.Integer({ description: 'Of the last entry that it covers.', examples: [1] }),
    token: Type.String({
      description:
        'A JWS (EdDSA, typ audit-checkpoint+jwt) with tenant_id, position, hash and iat, signed with a key of the tenant.',
      examples: [EXAMPLE_JWT],
    }),
    created_at: CreatedAt,
  },
  { $id: 'AuditCheckpoint', description: 'The head that a tenant’s audit log had, signed.' },
);
export type AuditCheckpoint = Static<typeof AuditCheckpoint>;
