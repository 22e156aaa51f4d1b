import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { findUnsealed as find } from '../../../../sql/events/kw_find_unsealed.ts';
import { tenantsToSeal } from '../../../../sql/events/kw_tenants_to_seal.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import { from, type SystemTx, type TenantTx } from '../../../tenancy/gate.ts';
import type { EntryRow, PlaceInChain } from './audit-store.ts';

/** A transaction in one tenant, or in all of them. */
export type SealingTx = TenantTx | SystemTx;

/** The tenants with entries outside their chain, found in a few hops through the index for each. */
export async function listTenantsToSeal(tx: SystemTx): Promise<TenantId[]> {
  const rows = await callWithin(tx, tenantsToSeal, {});
  return rows.map((row) => row.answer);
}

/**
 * Serializes sealing of the tenant's chain until the end of this transaction.
 * @returns false when the tenant is gone
 */
export async function lockChain(tx: TenantTx): Promise<boolean> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended('audit chain of ' || ${tx.tenantId}, 0))`.execute(
    tx.db,
  );
  const { rows } = await sql`
    SELECT FROM tenants WHERE tenant_id = ${tx.tenantId} AND deleted_at IS NULL
       FOR KEY SHARE`.execute(tx.db);
  return rows.length > 0;
}

/**
 * Locks the chains of these tenants for sealing, without waiting.
 * @returns the tenants that were locked, without those being sealed elsewhere or deleted
 */
export async function lockFreeChains(
  tx: SystemTx,
  tenantIds: readonly TenantId[],
): Promise<TenantId[]> {
  const { rows } = await sql<{ tenant_id: TenantId }>`
    SELECT t.tenant_id FROM tenants t
     WHERE t.tenant_id = ANY (${[...tenantIds]}::text[]) AND t.deleted_at IS NULL
       AND pg_try_advisory_xact_lock(hashtextextended('audit chain of ' || t.tenant_id, 0))
       FOR KEY SHARE SKIP LOCKED`.execute(tx.db);
  return rows.map((row) => row.tenant_id);
}

/** The end of a chain. */
export interface ChainEnd extends Pick<PlaceInChain, 'position' | 'hash'> {
  readonly tenantId: TenantId;
}

/** The heads of the chains of these tenants, except empty chains. */
export async function findEnds(tx: SealingTx, tenantIds: readonly TenantId[]): Promise<ChainEnd[]> {
  const { rows } = await sql<{ tenant_id: TenantId; position: string; hash: Buffer }>`
    SELECT t.tenant_id, last.position, last.hash
      FROM unnest(${[...tenantIds]}::text[]) AS t (tenant_id)
     CROSS JOIN LATERAL (
       SELECT c.position, c.hash FROM audit_chain c
        WHERE c.tenant_id = t.tenant_id ORDER BY c.position DESC LIMIT 1
     ) AS last`.execute(tx.db);
  return rows.map(({ tenant_id, position, hash }) => ({
    tenantId: tenant_id,
    position: Number(position),
    hash,
  }));
}

/** Unsealed entries of these tenants, tenant by tenant, oldest first. */
export function findUnsealed(
  tx: SealingTx,
  tenants: readonly TenantId[],
  limit: number,
): Promise<EntryRow[]> {
  return callWithin(tx, find, { tenants, limit });
}

/** An entry with its new position. */
export interface SealedEntry extends PlaceInChain {
  readonly tenantId: TenantId;
  readonly entryId: string;
}

/** The signed end of a chain. */
export interface NewCheckpoint {
  readonly tenantId: TenantId;
  readonly position: number;
  readonly token: string;
}

/** Removes entries from the queue that must not enter the chain. */
export async function dropFromQueue(tx: SealingTx, refused: readonly EntryRow[]): Promise<void> {
  await sql`
    DELETE FROM audit_unsealed u
     USING unnest(${refused.map((row) => row.tenant_id)}::text[], ${refused.map((row) => row.id)}::text[])
           AS r (tenant_id, id)
     WHERE u.tenant_id = r.tenant_id AND u.id = r.id`.execute(tx.db);
}

/** Appends entries to their chains, with the new signed heads. */
export async function insertSealed(
  tx: SealingTx,
  sealed: readonly SealedEntry[],
  checkpoints: readonly NewCheckpoint[],
): Promise<void> {
  const tenants = sealed.map((entry) => entry.tenantId);
  const ids = sealed.map((entry) => entry.entryId);
  const positions = sealed.map((entry) => entry.position);
  const previous = sealed.map((entry) => entry.previous_hash?.toString('hex') ?? null);
  const hashes = sealed.map((entry) => entry.hash.toString('hex'));
  await sql`
    WITH sealed AS (
      INSERT INTO audit_chain (tenant_id, position, entry_id, previous_hash, hash)
      SELECT s.tenant_id, s.position, s.id, decode(s.previous, 'hex'), decode(s.hash, 'hex')
        FROM unnest(${tenants}::text[], ${ids}::text[], ${positions}::bigint[],
                    ${previous}::text[], ${hashes}::text[])
          AS s (tenant_id, id, position, previous, hash)
    ), gone AS (
      DELETE FROM audit_unsealed u
       USING unnest(${tenants}::text[], ${ids}::text[]) AS s (tenant_id, id)
       WHERE u.tenant_id = s.tenant_id AND u.id = s.id
    )
    INSERT INTO audit_checkpoints (tenant_id, position, token, created_at)
    SELECT c.tenant_id, c.position, c.token, ${tx.now}
      FROM unnest(${checkpoints.map((checkpoint) => checkpoint.tenantId)}::text[],
                  ${checkpoints.map((checkpoint) => checkpoint.position)}::bigint[],
                  ${checkpoints.map((checkpoint) => checkpoint.token)}::text[])
        AS c (tenant_id, position, token)`.execute(tx.db);
}

/** A position of the chain, with its entry and checkpoint. */
interface ChainRow {
  readonly position: number;
  readonly entryId: string;
  readonly place: PlaceInChain;
  /** Undefined if the entry is missing. */
  readonly entry: EntryRow | undefined;
  /** The checkpoint that was signed at this position. */
  readonly token: string | null;
}

/** Positions in order, after a position. */
export async function findChainRows(
  tx: TenantTx,
  after: number,
  limit: number,
): Promise<ChainRow[]> {
  const rows = await from(tx, 'audit_chain as c')
    .leftJoin('audit_entries as e', (join) =>
      join.onRef('e.tenant_id', '=', 'c.tenant_id').onRef('e.id', '=', 'c.entry_id'),
    )
    .leftJoin('audit_checkpoints as k', (join) =>
      join.onRef('k.tenant_id', '=', 'c.tenant_id').onRef('k.position', '=', 'c.position'),
    )
    .selectAll('e')
    .select(['c.position', 'c.entry_id', 'c.previous_hash', 'c.hash', 'k.token'])
    .where('c.position', '>', String(after))
    .orderBy('c.position')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { position: text, entry_id: entryId, previous_hash, hash, token } = row;
    const position = Number(text);
    const entry = isEntry(row) ? row : undefined;
    return { position, entryId, place: { position, previous_hash, hash }, entry, token };
  });
}

/** Whether the entry at a position exists. */
function isEntry(row: {
  readonly [Column in keyof EntryRow]: EntryRow[Column] | null;
}): row is EntryRow {
  return row.id !== null;
}

/** Checkpoints of positions after the end of the chain. */
export async function findLaterCheckpoints(tx: TenantTx, position: number): Promise<string[]> {
  const rows = await from(tx, 'audit_checkpoints as k')
    .select('k.token')
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
  return from(tx, 'audit_entries as e')
    .selectAll('e')
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

/** The entries waiting to be sealed, after an entry. */
export function findWaiting(tx: TenantTx, after: string, limit: number): Promise<EntryRow[]> {
  return from(tx, 'audit_unsealed as u')
    .innerJoin('audit_entries as e', (join) =>
      join.onRef('e.tenant_id', '=', 'u.tenant_id').onRef('e.id', '=', 'u.id'),
    )
    .selectAll('e')
    .where(sql<boolean>`u.id > ${after}`)
    .orderBy('u.id')
    .limit(limit)
    .execute();
}

/** Unsealed entries that are missing. */
export async function findLostWaiting(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await from(tx, 'audit_unsealed as u')
    .select('u.id')
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT FROM audit_entries e WHERE e.tenant_id = u.tenant_id AND e.id = u.id)`,
    )
    .orderBy('u.id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}
