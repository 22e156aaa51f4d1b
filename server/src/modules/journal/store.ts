import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { statement } from '../../platform/db/database.ts';
import type { Gate, TenantTx } from '../../tenancy/gate.ts';
import { asJson, type NewEntry, type Written } from './change.ts';

export async function insertRecord(tx: TenantTx, { entries, events }: Written): Promise<void> {
  const { rows } = await sql<{ queued: string[] | null }>`
    SELECT kw_record(${tx.tenantId}, ${entries}::jsonb, ${events}::jsonb) AS queued`.execute(tx.db);
  if (rows[0]?.queued) tx.handOver(rows[0].queued);
}

const note = statement('kw_note', 'SELECT kw_note($1, $2)');

/** Entries of many tenants, apart from any change. Those of a tenant that is gone are dropped. */
export async function insertNotes(
  gate: Gate,
  entries: ReadonlyMap<TenantId, readonly NewEntry[]>,
): Promise<void> {
  const lists = [...entries.values()].map((list) => asJson(list));
  await gate.callMany(note, [...entries.keys()], [lists]);
}
