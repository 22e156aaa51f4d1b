import type { TenantId } from '@keywright/contract/ids';
import { note } from '../../../../sql/events/kw_note.ts';
import { record } from '../../../../sql/events/kw_record.ts';
import { callAs } from '../../../platform/db/calls.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { SerializedChanges } from './change.ts';
import { authenticated, type NewEntry } from './mac.ts';
import { deliveriesQueued } from './queued.ts';

export async function insertRecord(tx: TenantTx, changes: SerializedChanges): Promise<void> {
  const [row] = await callAs(tx, record, changes);
  const queued = row?.answer;
  if (queued) tx.publish(deliveriesQueued, { tenantId: tx.tenantId, queued });
}

/** Entries of many tenants, without a change. Those of a deleted tenant are dropped. */
export async function insertNotes(
  gate: Gate,
  entries: ReadonlyMap<TenantId, readonly NewEntry[]>,
): Promise<void> {
  const lists = new Map<TenantId, string>();
  for (const [tenantId, list] of entries) {
    const key = await gate.into(tenantId).auditKey();
    if (key) lists.set(tenantId, authenticated(key, tenantId, list));
  }
  if (lists.size === 0) return;
  await gate.callMany(note, { tenants: [...lists.keys()], entries: [...lists.values()] });
}
