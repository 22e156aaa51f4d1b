import Type from 'typebox';
import { AgentIdSchema, ApiKeyIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import {
  API_KEY_DAYS,
  ApiKeyRecord,
  CreatedApiKey,
  EXAMPLE_API_KEY,
  OVERLAP_DAYS,
} from '../records/api-key.ts';
import { secret } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { displayName, agentScopes, revoked, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/apikeys` as const;
const keyPath = Type.Object({ key_id: pathId(ApiKeyIdSchema) });

/** An address, or a network in CIDR form. It is validated when the list is parsed. */
const AllowedIp = Type.String({
  minLength: 2,
  maxLength: 43,
  description: 'An IP address, or a network in CIDR notation.',
  examples: ['203.0.113.0/24'],
});
const AllowedIps = Type.Array(AllowedIp, {
  minItems: 1,
  maxItems: 64,
  uniqueItems: true,
  description: 'IPv4 and IPv6 addresses, and networks in CIDR notation, that can use the key.',
});

export const listApiKeys = route({
  id: 'apikeys.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:apikeys', administrator: true },
  summary: 'List API keys',
  description: 'Includes expired and revoked keys. The keys themselves are not shown.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    sort: SORT_BY_AGE,
    agent_id: Type.Optional(AgentIdSchema),
  }),
  ok: { status: 200, body: listOf(ApiKeyRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createApiKey = route({
  id: 'apikeys.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:apikeys', administrator: true },
  summary: 'Create an API key',
  description:
    'The key is shown only in this response. `scopes` restricts the key to a subset of the agent’s scopes; by default, it has all of them. You cannot create a key for an agent that holds permissions that you do not hold.',
  body: closed({
    agent_id: AgentIdSchema,
    name: displayName('importer, production'),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: API_KEY_DAYS.min,
        maximum: API_KEY_DAYS.max,
        description: `Lifetime of the key, in days. Default: ${API_KEY_DAYS.usual}.`,
        examples: [API_KEY_DAYS.usual],
      }),
    ),
    scopes: Type.Optional(agentScopes('A subset of the agent’s scopes.')),
    allowed_ips: Type.Optional(AllowedIps),
  }),
  idempotent: true,
  ok: { status: 201, body: CreatedApiKey },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const getApiKey = route({
  id: 'apikeys.get',
  method: 'GET',
  path: `${BASE}/:key_id`,
  access: { scope: 'read:apikeys', administrator: true },
  summary: 'Get an API key',
  description: 'Returns the key’s record, without the key itself.',
  params: keyPath,
  ok: { status: 200, body: ApiKeyRecord },
  errors: ['NOT_FOUND'],
});

export const rotateApiKey = route({
  id: 'apikeys.rotate',
  method: 'POST',
  path: `${BASE}/:key_id/rotate`,
  access: { scope: 'write:apikeys', administrator: true },
  summary: 'Rotate an API key',
  description:
    'Creates a successor with the same agent, name, scopes, IP addresses and lifetime. The old key remains valid for `overlap_days` unless it expires earlier. With 0, it is revoked immediately. A key can be rotated only once.',
  params: keyPath,
  body: closed({
    overlap_days: Type.Optional(
      Type.Integer({
        minimum: OVERLAP_DAYS.min,
        maximum: OVERLAP_DAYS.max,
        description: `Number of days that the old key remains valid. Default: ${OVERLAP_DAYS.usual}.`,
        examples: [OVERLAP_DAYS.usual],
      }),
    ),
  }),
  idempotent: true,
  ok: { status: 201, body: CreatedApiKey },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD', 'APIKEY_ROTATED', 'APIKEY_ENDED'],
});

export const deleteApiKey = route({
  id: 'apikeys.delete',
  method: 'DELETE',
  path: `${BASE}/:key_id`,
  access: { scope: 'delete:apikeys', administrator: true },
  summary: 'Revoke an API key',
  description:
    'The key is rejected immediately. Its record is kept. Returns 404 if the key is already revoked.',
  params: keyPath,
  ok: { status: 200, body: revoked(ApiKeyIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const reportApiKey = route({
  id: 'apikeys.report',
  method: 'POST',
  path: `${BASE}/report`,
  access: 'open',
  summary: 'Report a leaked API key',
  description:
    'For secret scanners, and for anyone who finds an exposed key. If the key is valid, it is revoked immediately, no matter which tenant it belongs to, and that tenant is notified. The response and its timing are the same for every input.',
  body: closed({
    key: secret({
      minLength: 1,
      maxLength: 256,
      description: 'The exposed key.',
      examples: [EXAMPLE_API_KEY],
    }),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      received: Type.Literal(true, { description: 'Always `true`, whatever you send.' }),
    }),
  },
  errors: ['TOO_MANY_ATTEMPTS'],
});
