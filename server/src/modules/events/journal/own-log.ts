import type { Fail } from '@keywright/contract/errors';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { OwnLogEntry } from '@keywright/contract/records/own-log-entry';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { countOwnEntries, findOwnEntries, type OwnEntryRow } from './own-log-store.ts';

/** A page of the log of a user's account, newest first. */
export async function listOwnLogPage(
  tenant: TenantData,
  userId: UserId,
  query: PageQuery,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'own log', userId], query, '-id', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) =>
      [await findOwnEntries(tx, userId, page), await countOwnEntries(tx, userId)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.id,
    (row) => presentOwnEntry(tenant.tenantId, row, userId),
  );
}

/** Kinds of actors that are not people: who they are, is not private. */
const MACHINES = ['agent', 'delegate', 'app'];

function presentOwnEntry(tenantId: TenantId, row: OwnEntryRow, userId: UserId): OwnLogEntry {
  const { actor_kind: kind, actor_id: actorId } = row;
  const isNamed = actorId === userId || MACHINES.includes(kind);
  // Of a login that failed the user may know whence it came.
  const isPlaced = isNamed || kind === 'anonymous';
  return {
    id: row.id,
    tenant_id: tenantId,
    created_at: row.created_at.toISOString(),
    actor: { kind: kind as OwnLogEntry['actor']['kind'], id: isNamed ? actorId : null },
    action: row.action as OwnLogEntry['action'],
    target: { kind: row.target_kind as OwnLogEntry['target']['kind'], id: row.target_id },
    outcome: row.outcome as OwnLogEntry['outcome'],
    address: isPlaced ? row.address : null,
    count: row.count,
  };
}
