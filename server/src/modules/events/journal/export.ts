import type { TenantData } from '../../../tenancy/gate.ts';
import { type EntryFilter, findCheckpointAt, findSealed, placeOf } from './audit-store.ts';
import { presentEntry } from './present.ts';
import { findEnds } from './sealing-store.ts';

/** Entries that are read, and kept in memory, at a time. */
const BATCH = 500;

/**
 * The sealed entries as lines of JSON in the order of the chain, up to the head that it has now. Each batch is a
 * transaction of its own: however slowly the lines are taken, nothing is held meanwhile.
 * @param isWhole whether nothing is left out: then the last line is the signed head
 */
export async function* exportLines(
  tenant: TenantData,
  filter: EntryFilter,
  isWhole: boolean,
): AsyncGenerator<string> {
  const [end] = await tenant.transaction((tx) => findEnds(tx, [tx.tenantId]));
  if (!end) return;
  const upTo = end.position;
  for (let after = 0; ;) {
    const range = { after, upTo };
    const rows = await tenant.transaction((tx) => findSealed(tx, filter, range, BATCH));
    yield rows.map((row) => `${JSON.stringify(presentEntry(row, placeOf(row)))}\n`).join('');
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) break;
    after = Number(last.position);
  }
  if (!isWhole) return;
  const checkpoint = await tenant.transaction((tx) => findCheckpointAt(tx, upTo));
  if (checkpoint !== undefined) yield `${JSON.stringify({ checkpoint })}\n`;
}
