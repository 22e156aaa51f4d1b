import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { SystemActor } from '../../../tenancy/caller.ts';
import { asTenant, type DescribeSystemWork, type SystemTx } from '../../../tenancy/system.ts';
import { type Actor, actingAtHome } from './actor.ts';
import { type Change, serializeChanges } from './change.ts';
import { insertRecord } from './store.ts';

/**
 * Writes the records of a change, in its transaction and in one statement: the entry of the audit log and the events. A
 * rollback removes both.
 */
export function record(tx: TenantTx, by: Actor, change: Change): Promise<void> {
  return recordAll(tx, by, [change]);
}

/** The same for several changes; without any, does nothing. */
export async function recordAll(
  tx: TenantTx,
  by: Actor,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  const key = await tx.auditKey();
  await insertRecord(tx, serializeChanges(key, tx.tenantId, by, changes, tx.now));
}

/** Work across tenants, in the log of the default tenant, visible only to system administrators. */
export const describeSystemWork: DescribeSystemWork = (key, by, reason, on, now) =>
  serializeChanges(key, DEFAULT_TENANT, actingAtHome(by), [systemWork(reason, on)], now).entries;

/** The same for the service itself, when it creates the default tenant. */
export function recordMaintenance(
  tx: SystemTx,
  by: SystemActor,
  reason: string,
  on?: TenantId,
): Promise<void> {
  return asTenant(tx, DEFAULT_TENANT, (home) => record(home, by, systemWork(reason, on)));
}

function systemWork(reason: string, on: TenantId | undefined): Change {
  return {
    action: 'system.work',
    target: on ? { kind: 'tenant', id: on } : { kind: 'installation', id: null },
    details: { reason },
  };
}
