import type { UserId } from '@keywright/contract/ids';
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
] as const;

/** Whose sessions: of everybody, or of one user only, and never of another one. */
export interface Owners {
  readonly only: UserId | undefined;
  readonly except?: UserId;
}

function sessionsOf(tx: TenantTx, { only, except }: Owners) {
  let query = tx.db.selectFrom('sessions').where('tenant_id', '=', tx.tenantId);
  if (only !== undefined) query = query.where('user_id', '=', only);
  return except === undefined ? query : query.where('user_id', '!=', except);
}

/** One page, and one row more if there is one. */
export function findSessions(tx: TenantTx, page: Page, owners: Owners) {
  return pageOf(sessionsOf(tx, owners).select(SHOWN), page).execute();
}

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number];

export function countSessions(tx: TenantTx, owners: Owners): Promise<number> {
  return countSome(tx, sessionsOf(tx, owners).select('id'));
}
