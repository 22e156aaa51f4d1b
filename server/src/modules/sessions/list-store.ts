import type { UserId } from '@keywright/contract/ids';
import { countSome, type Page, pageOf } from '../../platform/db/page.ts';
import type { TenantTx } from '../../tenancy/gate.ts';

const SHOWN = [
  'id',
  'tenant_id',
  'user_id',
  'workspace_id',
  'user_agent',
  'ip_address',
  'created_at',
  'expires_at',
  'is_active',
] as const;

function sessionsOf(tx: TenantTx, userId: UserId | undefined) {
  const query = tx.db.selectFrom('sessions').where('tenant_id', '=', tx.tenantId);
  return userId === undefined ? query : query.where('user_id', '=', userId);
}

/** One page, and one row more if there is one. */
export function findSessions(tx: TenantTx, page: Page, userId: UserId | undefined) {
  return pageOf(sessionsOf(tx, userId).select(SHOWN), page).execute();
}

export type SessionRow = Awaited<ReturnType<typeof findSessions>>[number];

export function countSessions(tx: TenantTx, userId: UserId | undefined): Promise<number> {
  return countSome(tx, sessionsOf(tx, userId).select('id'));
}
