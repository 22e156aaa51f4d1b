import type { TenantData } from '../../../tenancy/gate.ts';
import { type EntryFilter, findCheckpointAt, findSealed, placeOf } from './audit-store.ts';
import { presentEntry } from './present.ts';
import { findEnds } from './sealing-store.ts';

/** The number of entries read into memory at a time. */
const BATCH = 500;

/**
 * The sealed entries as JSON lines in the order of the chain, up to its current head. Each batch has its own
 * transaction, so a slow reader blocks nothing.
 * @param isWhole whether nothing is excluded: then the last line is the signed head
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
