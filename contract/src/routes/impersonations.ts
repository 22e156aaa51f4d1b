import Type from 'typebox';
import { pathId, TenantIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, nameOf } from '../records/record-fields.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, reason } from './fields.ts';

/** The maximum duration of an impersonation. */
export const LONGEST_IMPERSONATION_SECONDS = 15 * 60;
/** The maximum number of concurrent impersonations per session; another one ends the oldest. */
export const MOST_IMPERSONATIONS = 20;

const params = Type.Object({ tenant_id: pathId(TenantIdSchema) });

const Impersonation = Type.Object(
  {
    id: TenantIdSchema,
    tenant_id: TenantIdSchema,
    reason: nameOf('Reason, recorded in the audit log.', 'Ticket 4711: cannot sign in'),
    created_at: CreatedAt,
    expires_at: expiresAt('When the impersonation ends automatically.'),
  },
  {
    $id: 'Impersonation',
    description: 'An impersonation in the console: a system administrator acts inside a tenant.',
  },
);

export const startImpersonation = route({
  id: 'impersonations.begin',
  method: 'PUT',
  path: `${API_BASE}/impersonations/:tenant_id`,
  access: 'system',
  summary: 'Start an impersonation in the console',
  description:
    'Lasts at most 15 minutes, and no longer than the caller’s session. During this time, the console can call the tenant’s routes in the same session, without a token. Each impersonation is recorded with its reason. Starting it again restarts it. A session can have at most 20 impersonations; starting another ends the oldest.',
  params,
  body: closed({ reason: reason('Ticket 4711: cannot sign in') }),
  ok: { status: 200, body: Impersonation },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'TENANT_INACTIVE', 'DEFAULT_TENANT_PROTECTED'],
});

export const listImpersonations = route({
  id: 'impersonations.list',
  method: 'GET',
  path: `${API_BASE}/impersonations`,
  access: 'system',
  summary: 'List the caller’s impersonations in the console',
  description: 'Impersonations of the caller’s session that have not ended, latest first.',
  ok: {
    status: 200,
    body: Type.Object({
      items: Type.Array(Impersonation, {
        maxItems: MOST_IMPERSONATIONS,
        description: 'All impersonations of the session that have not ended.',
      }),
    }),
  },
  errors: [],
});

export const endImpersonation = route({
  id: 'impersonations.end',
  method: 'DELETE',
  path: `${API_BASE}/impersonations/:tenant_id`,
  access: 'system',
  summary: 'End an impersonation in the console',
  description: 'Takes effect with the next request, on every node.',
  params,
  ok: { status: 200, body: deleted(TenantIdSchema) },
  errors: ['NOT_FOUND'],
});

export const IMPERSONATION_ROUTES = [
  listImpersonations,
  startImpersonation,
  endImpersonation,
] as const;
