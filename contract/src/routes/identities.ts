import Type from 'typebox';
import { IdentityProviderIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { IdentityRecord } from '../records/identity-provider.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted } from './fields.ts';
import { Handoff, UpstreamRequest } from './upstream-logins.ts';

const ME_BASE = `${API_BASE}/me/identities` as const;

export const listIdentities = route({
  id: 'identities.list',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s identities at providers',
  description: 'Lists the identities that the caller can sign in with, at most one per provider.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(IdentityRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const startLinking = route({
  id: 'identities.begin',
  method: 'POST',
  path: ME_BASE,
  access: 'user',
  fresh: {},
  summary: 'Start linking an identity at a provider',
  description:
    'As in a login, send the browser to `authorize_url`. It returns to `return_url` with `handoff` or `error`. `return_url` is one of the tenant’s `return_urls`, or `account?section=security` at the issuer. A new request replaces this one.',
  body: closed({ provider: UpstreamRequest.provider, return_url: UpstreamRequest.return_url }),
  ok: {
    status: 200,
    body: Type.Object(
      { authorize_url: UpstreamRequest.authorize_url },
      { $id: 'BegunLinking', description: 'URL to send the browser to.' },
    ),
  },
  errors: [
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'NOT_FOUND',
    'RETURN_URL_UNKNOWN',
    'PROVIDER_REFUSED',
    'METHOD_NOT_READY',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const finishLinking = route({
  id: 'identities.finish',
  method: 'POST',
  path: `${ME_BASE}/finish`,
  access: 'user',
  fresh: {},
  summary: 'Link an identity at a provider',
  description:
    'The handoff is accepted once, within 60 seconds, and only from the user who started linking. The user can then sign in with the identity, regardless of its email address.',
  body: closed({ handoff: Handoff }),
  ok: { status: 200, body: IdentityRecord },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'PROVIDER_REFUSED', 'IDENTITY_TAKEN'],
});

export const deleteIdentity = route({
  id: 'identities.delete',
  method: 'DELETE',
  path: `${ME_BASE}/:provider_id`,
  access: 'user',
  fresh: {},
  summary: 'Unlink one of the caller’s identities at a provider',
  description: 'You cannot remove the last way to sign in.',
  params: Type.Object({ provider_id: pathId(IdentityProviderIdSchema) }),
  ok: { status: 200, body: deleted(IdentityProviderIdSchema) },
  errors: ['TOKEN_INVALID', 'STEP_UP_REQUIRED', 'NOT_FOUND', 'LAST_LOGIN_METHOD'],
});

export const IDENTITY_ROUTES = [
  listIdentities,
  startLinking,
  finishLinking,
  deleteIdentity,
] as const;
