import Type, { type Static } from 'typebox';
import { ACTOR_KINDS, AUDIT_ACTION_NAMES, OUTCOMES, TARGET_KINDS } from '../audit.ts';
import { AuditEntryIdSchema, TenantIdSchema } from '../ids.ts';

const Nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const Names = Type.Optional(Type.Array(Type.String()));

/** What an entry tells beside its own fields. Never a secret. */
export const AuditDetails = Type.Object(
  {
    scopes_gained: Names,
    scopes_lost: Names,
    roles_gained: Names,
    roles_lost: Names,
    fields: Names,
    reason: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
export type AuditDetails = Static<typeof AuditDetails> & Readonly<Record<string, unknown>>;

export const AuditEntry = Type.Object(
  {
    id: AuditEntryIdSchema,
    tenant_id: TenantIdSchema,
    created_at: Type.String({ format: 'date-time' }),
    actor: Type.Object({
      kind: Type.Enum([...ACTOR_KINDS]),
      id: Nullable('user:<id>, service:<id>, or the name of a part of the service.'),
      on_behalf_of: Nullable('The user whom a delegate acts for.'),
      credential: Nullable('The session, API key or grant that was used.'),
    }),
    action: Type.Enum([...AUDIT_ACTION_NAMES]),
    target: Type.Object({
      kind: Type.Enum([...TARGET_KINDS]),
      id: Type.Union([Type.String(), Type.Null()]),
    }),
    outcome: Type.Enum([...OUTCOMES]),
    address: Nullable('The IP address that the request came from.'),
    request_id: Nullable('As in the header `x-request-id` of the answer, and in the log.'),
    count: Type.Integer({
      description: 'How many of the same kind this entry stands for: 1 but for floods.',
    }),
    details: AuditDetails,
    mac: Type.Optional(
      Type.String({
        description:
          'Which only the service can make and check: it wrote the entry, just so. Entries from before there were MACs have none.',
      }),
    ),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Its place in the chain, from 1; null until it is sealed, seconds later.',
    }),
    previous_hash: Nullable('`hash` of the entry before it; null for the first.'),
    hash: Nullable('SHA-256 of the canonical JSON (RFC 8785) of all the fields but this one.'),
  },
  { $id: 'AuditEntry', description: 'Who did what, on what, from where, and how it came out.' },
);
export type AuditEntry = Static<typeof AuditEntry> & { readonly details: AuditDetails };

export const AuditCheckpoint = Type.Object(
  {
    tenant_id: TenantIdSchema,
    position: Type.Integer({ description: 'Of the last entry that it covers.' }),
    token: Type.String({
      description:
        'A JWS (EdDSA, typ audit-checkpoint+jwt) with tenant_id, position, hash and iat, signed with a key of the tenant.',
    }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'AuditCheckpoint', description: 'The head that a tenant’s audit log had, signed.' },
);
export type AuditCheckpoint = Static<typeof AuditCheckpoint>;
