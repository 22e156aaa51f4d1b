import Type from 'typebox';
import { ConsentIdSchema, OAuthClientIdSchema, pathId, UserIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { ConsentRecord } from '../records/consent.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, SORT_BY_AGE } from './fields.ts';

const ME_BASE = `${API_BASE}/me/consents` as const;
const BASE = `${API_BASE}/consents` as const;
const consentPath = Type.Object({ consent_id: pathId(ConsentIdSchema) });

const REVOKED =
  'The application’s sessions for this user end, and their tokens are rejected immediately.';

export const listOwnConsents = route({
  id: 'consents.list_own',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s consents',
  description: 'Applications that the caller has consented to, newest first.',
  query: closed({ ...listQuery, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(ConsentRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const deleteOwnConsent = route({
  id: 'consents.delete_own',
  method: 'DELETE',
  path: `${ME_BASE}/:consent_id`,
  access: 'user',
  summary: 'Revoke one of the caller’s consents',
  description: REVOKED,
  params: consentPath,
  ok: { status: 200, body: deleted(ConsentIdSchema) },
  errors: ['NOT_FOUND'],
});

export const listConsents = route({
  id: 'consents.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:consents', administrator: true },
  summary: 'List consents',
  description: 'Newest first.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    sort: SORT_BY_AGE,
    user_id: Type.Optional(UserIdSchema),
    client_id: Type.Optional(OAuthClientIdSchema),
  }),
  ok: { status: 200, body: listOf(ConsentRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const deleteConsent = route({
  id: 'consents.delete',
  method: 'DELETE',
  path: `${BASE}/:consent_id`,
  access: { scope: 'delete:consents', administrator: true },
  summary: 'Revoke a consent',
  description: REVOKED,
  params: consentPath,
  ok: { status: 200, body: deleted(ConsentIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});

export const CONSENT_ROUTES = [
  listOwnConsents,
  deleteOwnConsent,
  listConsents,
  deleteConsent,
] as const;
