import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { TenantTx } from '../../tenancy/gate.ts';
import { asTenant, type RecordSystemWork } from '../../tenancy/system.ts';
import { type Actor, actingAtHome } from './actor.ts';
import { type Change, written } from './change.ts';
import { insertRecord } from './store.ts';

/**
 * Writes what a change leaves behind, in the transaction of the change and in one statement: the entry of the
 * audit log and the events. What is rolled back leaves neither.
 */
export function record(tx: TenantTx, by: Actor, change: Change): Promise<void> {
  return recordAll(tx, by, [change]);
}

/** The same for several changes at once; none is none. */
export async function recordAll(
  tx: TenantTx,
  by: Actor,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length > 0) await insertRecord(tx, written(tx.tenantId, by, changes, tx.now));
}

/** Work across tenants, in the log of the default tenant. Only system administrators see it there. */
export const recordSystemWork: RecordSystemWork = (tx, by, reason, on) =>
  asTenant(tx, DEFAULT_TENANT, (home) =>
    record(home, actingAtHome(by), {
      action: 'system.work',
      target: on ? { kind: 'tenant', id: on } : { kind: 'installation', id: null },
      details: { reason },
    }),
  );
