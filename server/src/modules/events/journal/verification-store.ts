import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { EntryRow, PlaceInChain } from './audit-store.ts';

/** One place of the chain, with what is there. */
export interface ChainRow {
  readonly position: number;
  readonly entryId: string;
  readonly place: PlaceInChain;
  /** Undefined when the entry is gone. */
  readonly entry: EntryRow | undefined;
  /** The checkpoint that was signed here, if one was. */
  readonly token: string | null;
}

/** Places in their order, from behind one of them. */
export async function findChainRows(
  tx: TenantTx,
  after: number,
  limit: number,
): Promise<ChainRow[]> {
  const rows = await tx.db
    .selectFrom('audit_chain as c')
    .leftJoin('audit_entries as e', (join) =>
      join.onRef('e.tenant_id', '=', 'c.tenant_id').onRef('e.id', '=', 'c.entry_id'),
    )
    .leftJoin('audit_checkpoints as k', (join) =>
      join.onRef('k.tenant_id', '=', 'c.tenant_id').onRef('k.position', '=', 'c.position'),
    )
    .selectAll('e')
    .select(['c.position', 'c.entry_id', 'c.previous_hash', 'c.hash', 'k.token'])
    .where('c.tenant_id', '=', tx.tenantId)
    .where('c.position', '>', String(after))
    .orderBy('c.position')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { position: text, entry_id: entryId, previous_hash, hash, token } = row;
    const position = Number(text);
    const entry = row.id === null ? undefined : (row as EntryRow);
    return { position, entryId, place: { position, previous_hash, hash }, entry, token };
  });
}

/** Checkpoints of places behind the end of the chain. */
export async function findLaterCheckpoints(tx: TenantTx, position: number): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('audit_checkpoints as k')
    .select('k.token')
    .where('k.tenant_id', '=', tx.tenantId)
    .where('k.position', '>', String(position))
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM audit_chain c WHERE c.tenant_id = k.tenant_id AND c.position = k.position)`,
    )
    .orderBy('k.position')
    .execute();
  return rows.map((row) => row.token);
}

/** Entries that are neither in the chain nor waiting for it. */
export function findStrays(tx: TenantTx, limit: number): Promise<EntryRow[]> {
  return tx.db
    .selectFrom('audit_entries as e')
    .selectAll('e')
    .where('e.tenant_id', '=', tx.tenantId)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM audit_chain c WHERE c.tenant_id = e.tenant_id AND c.entry_id = e.id)`,
    )
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM audit_unsealed u WHERE u.tenant_id = e.tenant_id AND u.id = e.id)`,
    )
    .orderBy('e.id')
    .limit(limit)
    .execute();
}

/** Entries that wait for their place, from behind one of them. */
export function findWaiting(tx: TenantTx, after: string, limit: number): Promise<EntryRow[]> {
  return tx.db
    .selectFrom('audit_unsealed as u')
    .innerJoin('audit_entries as e', (join) =>
      join.onRef('e.tenant_id', '=', 'u.tenant_id').onRef('e.id', '=', 'u.id'),
    )
    .selectAll('e')
    .where('u.tenant_id', '=', tx.tenantId)
    .where(sql<boolean>`u.id > ${after}`)
    .orderBy('u.id')
    .limit(limit)
    .execute();
}

/** An unsealed entry that is missing. */
export async function findLostWaiting(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('audit_unsealed as u')
    .select('u.id')
    .where('u.tenant_id', '=', tx.tenantId)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM audit_entries e WHERE e.tenant_id = u.tenant_id AND e.id = u.id)`,
    )
    .orderBy('u.id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}
