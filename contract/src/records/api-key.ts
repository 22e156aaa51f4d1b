import Type, { type Static } from 'typebox';
import { AgentIdSchema, ApiKeyIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, nameOf, timestampOrNull } from './record-fields.ts';
import { secret } from './tokens.ts';

/** What every API key begins with, so that it is told from a token, and found where it leaked. */
export const API_KEY_PREFIX = 'svc_sk_';

/** The shortest and the longest life of an API key, and the usual one, in days. */
export const API_KEY_DAYS = { min: 1, max: 365, usual: 90 } as const;
/** How long a rotated key may live on beside its successor, in days. */
export const OVERLAP_DAYS = { min: 0, max: 30, usual: 7 } as const;

/** An API key in the examples. Its last six characters do not check the others, so that it is none. */
export const EXAMPLE_API_KEY = `${API_KEY_PREFIX}${'EXAMPLE'.repeat(6)}00`;

export const ApiKeyRecord = Type.Object(
  {
    id: ApiKeyIdSchema,
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    name: nameOf('Its name, for people.', 'importer, production'),
    prefix: nameOf('The first 12 characters of the key, to know it by.', 'svc_sk_EXAMP'),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Of the scopes of its agent, those that the key has; null: all of them.',
      examples: [['read:users']],
    }),
    allowed_ips: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Addresses and networks that the key is good from; null: any.',
      examples: [['203.0.113.0/24']],
    }),
    created_by: nameOf(
      'Who created it: `user:<id>` or `service:<id>`.',
      'user:01m817qnm0e599bza8yqh63kxq',
    ),
    created_at: CreatedAt,
    expires_at: expiresAt('When it stops working.'),
    last_used_at: timestampOrNull('When it was last used, to the minute; null: never.'),
    revoked_at: timestampOrNull('When it was revoked; null: it was not.'),
    revoke_reason: Type.Union([Type.String(), Type.Null()], {
      description: '`revoked`, `rotated` or `leaked`; null: it was not revoked.',
      examples: [null],
    }),
    successor_id: Type.Union([ApiKeyIdSchema, Type.Null()], {
      description: 'The key that took its place when it was rotated.',
      examples: [null],
    }),
  },
  { $id: 'ApiKey', description: 'A secret by which an agent proves who it is.' },
);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

/** The record with the key itself. A repeated answer lacks the key: it is kept nowhere. */
export const CreatedApiKey = Type.Object(
  {
    ...ApiKeyRecord.properties,
    key: Type.Optional(
      secret({
        description: 'The key itself: shown now and never again.',
        examples: [EXAMPLE_API_KEY],
      }),
    ),
  },
  { $id: 'CreatedApiKey', description: 'An API key as the answer that creates it shows it.' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;
