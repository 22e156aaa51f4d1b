import Type from 'typebox';
import { pathId, RegistrationTokenIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import {
  CreatedRegistrationToken,
  RedirectHosts,
  RegistrationResources,
  RegistrationScopes,
  RegistrationTokenRecord,
} from '../records/registration-token.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, displayName, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/clients/registration-tokens` as const;
const YEAR_SECONDS = 31_536_000;

export const listRegistrationTokens = route({
  id: 'clients.list_registration_tokens',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:clients', administrator: true },
  summary: 'List registration tokens',
  description: 'Newest first. Used-up and expired tokens are listed for 30 days.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(RegistrationTokenRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createRegistrationToken = route({
  id: 'clients.create_registration_token',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Create a registration token',
  description:
    'Anyone with the token can register applications at the registration endpoint, within the limits of the token. The token is shown only in this response.',
  body: closed(
    {
      name: displayName('Partners, spring'),
      uses: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: 'Number of applications that can be registered with the token. Default: 1.',
          examples: [1],
        }),
      ),
      ttl: Type.Optional(
        Type.Integer({
          minimum: 60,
          maximum: YEAR_SECONDS,
          description: 'Seconds until the token expires. Default: one week.',
          examples: [604_800],
        }),
      ),
      scopes: Type.Optional(RegistrationScopes),
      resources: Type.Optional(RegistrationResources),
      redirect_hosts: Type.Optional(RedirectHosts),
    },
    { $id: 'RegistrationTokenRequest', description: 'A registration token to create.' },
  ),
  idempotent: true,
  ok: { status: 201, body: CreatedRegistrationToken },
  errors: ['VALIDATION_FAILED', 'SCOPE_NOT_HELD', 'TOO_MANY_REGISTRATION_TOKENS'],
});

export const deleteRegistrationToken = route({
  id: 'clients.delete_registration_token',
  method: 'DELETE',
  path: `${BASE}/:token_id`,
  access: { scope: 'delete:clients', administrator: true },
  summary: 'Delete a registration token',
  description:
    'No more applications can be registered with the token. Registered applications are kept.',
  params: Type.Object({ token_id: pathId(RegistrationTokenIdSchema) }),
  ok: { status: 200, body: deleted(RegistrationTokenIdSchema) },
  errors: ['NOT_FOUND'],
});

export const REGISTRATION_TOKEN_ROUTES = [
  listRegistrationTokens,
  createRegistrationToken,
  deleteRegistrationToken,
] as const;
