import Type from 'typebox';
import { IdentityProviderIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import {
  IdentityProviderRecord,
  PreparedProvider,
  NEW_PROVIDER,
  PROVIDER_CHANGE,
} from '../records/identity-provider.ts';
import { ProviderDependents } from '../records/provider-dependents.ts';
import { API_BASE, FOR_LOGINS, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/identity-providers` as const;
const params = Type.Object({ provider_id: pathId(IdentityProviderIdSchema) });

export const listIdentityProviders = route({
  id: 'providers.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:tenant' },
  summary: 'List identity providers',
  description: 'Newest first. Client secrets are not shown.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(IdentityProviderRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const prepareIdentityProvider = route({
  id: 'providers.prepare',
  method: 'GET',
  path: `${BASE}/new/callback`,
  access: { scope: 'read:tenant' },
  summary: 'Get an ID for a new identity provider',
  description:
    'Providers ask for the callback URL before they issue a client ID. Register this URL at the provider, and then create the provider here with this `id`, within 24 hours. Nothing is stored until then.',
  ok: { status: 200, body: PreparedProvider },
  errors: [],
});

export const createIdentityProvider = route({
  id: 'providers.create',
  method: 'POST',
  path: BASE,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Add an identity provider',
  description:
    'Adds an inactive provider. You can enable it after a test login succeeds. With `is_active` and `skip_test`, the provider is active immediately.',
  body: closed(NEW_PROVIDER),
  idempotent: true,
  ok: { status: 201, body: IdentityProviderRecord },
  errors: [
    'VALIDATION_FAILED',
    'PROVIDER_NOT_TESTED',
    'TOO_MANY_IDENTITY_PROVIDERS',
    'SCOPE_NOT_HELD',
  ],
});

export const getIdentityProvider = route({
  id: 'providers.get',
  method: 'GET',
  path: `${BASE}/:provider_id`,
  access: { scope: 'read:tenant' },
  summary: 'Get an identity provider',
  description: 'Returns the provider without its client secret.',
  params,
  ok: { status: 200, body: IdentityProviderRecord },
  errors: ['NOT_FOUND'],
});

export const updateIdentityProvider = route({
  id: 'providers.update',
  method: 'PATCH',
  path: `${BASE}/:provider_id`,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Update an identity provider',
  description:
    'If you change the issuer, an endpoint, the client ID, the team or the key, you must send the client secret again, so that a stored secret is never sent to another server. While users have linked identities at the provider, or an application accepts its assertions, you cannot change its issuer, endpoints, `subject_claim` and `team_id` (`IN_USE`), because they determine who a subject is. To enable the provider or change settings of an active one, a test login with these settings must have succeeded (`PROVIDER_NOT_TESTED`), unless `skip_test` is true. `name`, `domains`, `link` and `trust_mfa` need no test.',
  params,
  body: closed(PROVIDER_CHANGE, { minProperties: 1 }),
  ok: { status: 200, body: IdentityProviderRecord },
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'PROVIDER_NOT_TESTED',
    'LAST_LOGIN_METHOD',
    'IN_USE',
    'SCOPE_NOT_HELD',
  ],
});

export const getIdentityProviderDependents = route({
  id: 'providers.dependents',
  method: 'GET',
  path: `${BASE}/:provider_id/dependents`,
  access: { scope: 'read:tenant' },
  summary: 'Count the dependents of an identity provider',
  description:
    'Returns what would be deleted with the provider, and how many users would lose their only way to sign in. 10,001 means more than 10,000.',
  params,
  ok: { status: 200, body: ProviderDependents },
  errors: ['NOT_FOUND'],
});

export const deleteIdentityProvider = route({
  id: 'providers.delete',
  method: 'DELETE',
  path: `${BASE}/:provider_id`,
  access: FOR_LOGINS,
  fresh: {},
  summary: 'Delete an identity provider',
  description:
    'Deletes the provider, its client secret and its users’ identities. The sessions of these users continue.',
  params,
  ok: { status: 200, body: deleted(IdentityProviderIdSchema) },
  errors: ['NOT_FOUND', 'LAST_LOGIN_METHOD', 'SCOPE_NOT_HELD'],
});
