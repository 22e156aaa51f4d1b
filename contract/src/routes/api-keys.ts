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
  description: 'An address, or a network in CIDR form.',
  examples: ['203.0.113.0/24'],
});
const AllowedIps = Type.Array(AllowedIp, {
  minItems: 1,
  maxItems: 64,
  uniqueItems: true,
  description: 'IPv4 and IPv6 addresses, and networks in CIDR form, that may use the key.',
});

export const listApiKeys = route({
  id: 'apikeys.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:apikeys', administrator: true },
  summary: 'List API keys',
  description: 'Including expired and revoked ones. The keys themselves are not shown.',
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
    'The key is shown in this response only. `scopes` restricts it to a subset of those of its agent; default: all. Callers cannot create a key of an agent that holds more than they do.',
  body: closed({
    agent_id: AgentIdSchema,
    name: displayName('importer, production'),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: API_KEY_DAYS.min,
        maximum: API_KEY_DAYS.max,
        description: `Lifetime of the key in days. Default ${API_KEY_DAYS.usual}.`,
        examples: [API_KEY_DAYS.usual],
      }),
    ),
    scopes: Type.Optional(agentScopes('A subset of the scopes of its agent.')),
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
  summary: 'Read an API key',
  description: 'Returns the record without the key itself.',
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
    'The successor has the same agent, name, scopes, addresses and lifetime. The old key remains valid for `overlap_days`, if it does not expire before; with 0 it is revoked immediately. A key can be rotated once.',
  params: keyPath,
  body: closed({
    overlap_days: Type.Optional(
      Type.Integer({
        minimum: OVERLAP_DAYS.min,
        maximum: OVERLAP_DAYS.max,
        description: `Days that the old key remains valid. Default ${OVERLAP_DAYS.usual}.`,
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
    'Revokes the key: it is rejected from the next request on, and its record remains. Revoking a revoked key returns 404.',
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
    'For secret scanners, and for anyone who finds a key where it should not be. A valid key is revoked immediately, whichever tenant it belongs to, and that tenant is notified. The response and its timing are the same for every text.',
  body: closed({
    key: secret({
      minLength: 1,
      maxLength: 256,
      description: 'The key that was found.',
      examples: [EXAMPLE_API_KEY],
    }),
  }),
  ok: {
    status: 200,
    body: Type.Object({
      received: Type.Literal(true, { description: 'Always `true`, whatever was sent.' }),
    }),
  },
  errors: ['TOO_MANY_ATTEMPTS'],
});
