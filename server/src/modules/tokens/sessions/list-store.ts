import type { OAuthClientId, UserId } from '@keywright/contract/ids';
import type { SessionState } from '@keywright/contract/records/session';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

const SHOWN = [
  'id',
  'tenant_id',
  'user_id',
  'workspace_id',
  'kind',
  'client_id',
  'parent_id',
  'scopes',
  'auth_time',
  'acr',
  'amr',
  'user_agent',
  'ip_address',
  'created_at',
  'expires_at',
  'is_active',
  'end_reason',
  'ended_at',
] as const;

/** Whose sessions: of everybody, or of one user only, and never of another one. */
export interface Owners {
  readonly only: UserId | undefined;
  readonly except?: UserId;
}

export interface SessionFilter extends Owners {
  /** Undefined: at whatever client, or at none. */
  readonly clientId: OAuthClientId | undefined;
  /** Undefined: whether or not they have ended or expired. */
  readonly isActive: boolean | undefined;
  readonly state: SessionState | undefined;
}

function sessionsOf(tx: TenantTx, { only, except, clientId, isActive, state }: SessionFilter) {
  let query = tx.db.selectFrom('sessions').where('tenant_id', '=', tx.tenantId);
  if (only !== undefined) query = query.where('user_id', '=', only);
  if (except !== undefined) query = query.where('user_id', '!=', except);
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (state !== undefined) query = query.where('is_active', '=', state !== 'ended');
  if (state === 'active') query = query.where('expires_at', '>', tx.now);
  if (state === 'expired') query = query.where('expires_at', '<=', tx.now);
  if (isActive === undefined) return query;
  return query.where((eb) => {
    const isOpen = eb.and([eb('is_active', '=', true), eb('expires_at', '>', tx.now)]);
    return isActive ? isOpen : eb.not(isOpen);
  });
}

/** One page, and one row more if there is one. */
export function findSessions(tx: TenantTx, page: Page, filter: SessionFilter) {
  return pageOf(sessionsOf(tx, filter).select(SHOWN), page).execute();
}

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number];

export function countSessions(tx: TenantTx, filter: SessionFilter): Promise<number> {
  return countSome(tx, sessionsOf(tx, filter).select('id'));
}
