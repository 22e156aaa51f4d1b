import type { Log } from '../../../platform/log.ts';
import type { SystemActor } from '../../../tenancy/caller.ts';
import type { SystemData, SystemTx } from '../../../tenancy/system.ts';
import {
  type Confirmed,
  confirmBeforeMacs,
  findUnconfirmed,
  type Unconfirmed,
} from './before-macs-store.ts';
import { macOfBefore } from './mac.ts';
import { recordMaintenance } from './record.ts';

/** Tenants whose rows are confirmed in one transaction, and told of in one entry. */
const BATCH = 100;

/** Who finishes what a migration began, as the audit log tells it. */
const UPGRADE: SystemActor = { kind: 'system', name: 'upgrade' };

/**
 * Confirms, after the migration that brought MACs, up to where the entries of each tenant are older than that. The audit
 * log tells of it: whoever has entries declared old later leaves a trace.
 */
export async function confirmOlderEntries(system: SystemData, log: Log): Promise<void> {
  let last = '';
  for (;;) {
    const after = last;
    const found = await system.maintain('confirm which audit entries are older than MACs', (tx) =>
      confirmSome(tx, log, after),
    );
    const end = found.at(-1);
    if (!end) return;
    last = end.tenantId;
  }
}

async function confirmSome(tx: SystemTx, log: Log, after: string): Promise<Unconfirmed[]> {
  const found = await findUnconfirmed(tx, after, BATCH);
  const confirmed = found.flatMap((one) => confirmedOf(tx, log, one) ?? []);
  if (confirmed.length === 0) return found;
  await confirmBeforeMacs(tx, confirmed);
  const places = confirmed.map(({ tenantId, position }) => `${tenantId} up to ${position}`);
  const reason = `audit entries without a MAC are older than MACs: ${places.join(', ')}`;
  log.warn({ tenants: places }, 'audit entries without a MAC are older than MACs');
  await recordMaintenance(tx, UPGRADE, reason);
  return found;
}

function confirmedOf(
  { auditKeys }: SystemTx,
  log: Log,
  { tenantId, position, wrapped }: Unconfirmed,
): Confirmed | undefined {
  try {
    const key = auditKeys.open(tenantId, wrapped);
    return { tenantId, position, mac: macOfBefore(key, tenantId, position) };
  } catch (error) {
    log.warn({ err: error, tenant: tenantId }, 'older audit entries could not be confirmed');
    return undefined;
  }
}
