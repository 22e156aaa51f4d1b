import Type, { type Static } from 'typebox';
import { AgentIdSchema, ApiKeyIdSchema, TenantIdSchema } from '../ids.ts';
import { secret } from './tokens.ts';

/** What every API key begins with, so that it is told from a token, and found where it leaked. */
export const API_KEY_PREFIX = 'svc_sk_';

/** The shortest and the longest life of an API key, and the usual one, in days. */
export const API_KEY_DAYS = { min: 1, max: 365, usual: 90 } as const;
/** How long a rotated key may live on beside its successor, in days. */
export const OVERLAP_DAYS = { min: 0, max: 30, usual: 7 } as const;

const timestamp = Type.String({ format: 'date-time' });
const optionalTimestamp = Type.Union([timestamp, Type.Null()]);

export const ApiKeyRecord = Type.Object(
  {
    id: ApiKeyIdSchema,
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    name: Type.String(),
    prefix: Type.String({ description: 'The first 12 characters of the key, to know it by.' }),
    scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Of the scopes of its agent, those that the key has; null: all of them.',
    }),
    allowed_ips: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Addresses and networks that the key is good from; null: any.',
    }),
    created_by: Type.String(),
    created_at: timestamp,
    expires_at: timestamp,
    last_used_at: Type.Union([timestamp, Type.Null()], { description: 'To the minute.' }),
    revoked_at: optionalTimestamp,
    revoke_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'revoked, rotated or leaked.',
    }),
    successor_id: Type.Union([ApiKeyIdSchema, Type.Null()], {
      description: 'The key that took its place when it was rotated.',
    }),
  },
  { $id: 'ApiKey', description: 'A secret by which an agent proves who it is.' },
);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

/** The record with the key itself. A repeated answer lacks the key: it is kept nowhere. */
export const CreatedApiKey = Type.Object(
  {
    ...ApiKeyRecord.properties,
    key: Type.Optional(secret({ description: 'The key itself: shown now and never again.' })),
  },
  { $id: 'CreatedApiKey', description: 'An API key as the answer that creates it shows it.' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;
