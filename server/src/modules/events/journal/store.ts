import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { statement } from '../../../platform/db/database.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { SerializedChanges } from './change.ts';
import { authenticated, type NewEntry } from './mac.ts';
import { deliveriesQueued } from './queued.ts';

export async function insertRecord(
  tx: TenantTx,
  { entries, events }: SerializedChanges,
): Promise<void> {
  const { rows } = await sql<{ queued: string[] | null }>`
    SELECT kw_record(${tx.tenantId}, ${entries}::jsonb, ${events}::jsonb) AS queued`.execute(tx.db);
  const queued = rows[0]?.queued;
  if (queued) tx.publish(deliveriesQueued, { tenantId: tx.tenantId, queued });
}

const note = statement('kw_note', 'SELECT kw_note($1, $2)');

/** Entries of many tenants, apart from any change. Those of a tenant that is gone are dropped. */
export async function insertNotes(
  gate: Gate,
  entries: ReadonlyMap<TenantId, readonly NewEntry[]>,
): Promise<void> {
  const lists = new Map<TenantId, string>();
  for (const [tenantId, list] of entries) {
    const key = await gate.into(tenantId).auditKey();
    if (key) lists.set(tenantId, authenticated(key, tenantId, list));
  }
  if (lists.size > 0) await gate.callMany(note, [...lists.keys()], [[...lists.values()]]);
}
