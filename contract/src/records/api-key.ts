import Type, { type Static } from 'typebox';
import { AgentIdSchema, ApiKeyIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, nameOf, timestampOrNull } from './record-fields.ts';
import { secret } from './tokens.ts';

/** The prefix of every API key, which distinguishes keys from tokens and lets scanners find leaked keys. */
export const API_KEY_PREFIX = 'svc_sk_';

/** Minimum, maximum and default lifetime of an API key, in days. */
export const API_KEY_DAYS = { min: 1, max: 365, usual: 90 } as const;
/** How long a rotated key remains valid alongside its successor, in days. */
export const OVERLAP_DAYS = { min: 0, max: 30, usual: 7 } as const;

/** The API key in examples. Its checksum, the last six characters, is wrong, so the key is not valid. */
export const EXAMPLE_API_KEY = `${API_KEY_PREFIX}${'EXAMPLE'.repeat(6)}00`;

export const ApiKeyRecord = Type.Object(
  {
    id: ApiKeyIdSchema,
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    name: nameOf('Display name.', 'importer, production'),
    prefix: nameOf('The first 12 characters of the key, to help recognize it.', 'svc_sk_EXAMP'),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Scopes of the key: a subset of the agent’s scopes, or `null` for all of them.',
      examples: [['read:users']],
    }),
    allowed_ips: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'IP addresses and networks that can use the key; `null` for any.',
      examples: [['203.0.113.0/24']],
    }),
    created_by: nameOf(
      'Creator of the key: `user:<id>` or `service:<id>`.',
      'user:01m817qnm0e599bza8yqh63kxq',
    ),
    created_at: CreatedAt,
    expires_at: expiresAt('When the key expires.'),
    last_used_at: timestampOrNull(
      'Time of the last use, to the minute; `null` if the key was never used.',
    ),
    revoked_at: timestampOrNull('Time of the revocation; `null` if the key is not revoked.'),
    revoke_reason: Type.Union([Type.String(), Type.Null()], {
      description:
        'Why the key was revoked: `revoked`, `rotated` or `leaked`; `null` if it is not revoked.',
      examples: [null],
    }),
    successor_id: Type.Union([ApiKeyIdSchema, Type.Null()], {
      description: 'The key that replaced this one in a rotation.',
      examples: [null],
    }),
  },
  { $id: 'ApiKey', description: 'A secret that authenticates an agent.' },
);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

/** The record with the key. A repeated response omits the key, because it is not stored. */
export const CreatedApiKey = Type.Object(
  {
    ...ApiKeyRecord.properties,
    key: Type.Optional(
      secret({
        description: 'The key itself. Shown only once.',
        examples: [EXAMPLE_API_KEY],
      }),
    ),
  },
  { $id: 'CreatedApiKey', description: 'An API key, as returned when it is created.' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;
