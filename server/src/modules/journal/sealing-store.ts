import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../tenancy/gate.ts';
import type { SystemTx } from '../../tenancy/system.ts';
import type { EntryRow, PlaceInChain } from './audit-store.ts';

/** Tenants that have entries outside their chain, a few hops through the index for each. */
export async function listTenantsToSeal(tx: SystemTx): Promise<TenantId[]> {
  const { rows } = await sql<{ tenant_id: TenantId }>`
    WITH RECURSIVE found AS (
      (SELECT tenant_id FROM audit_unsealed ORDER BY tenant_id LIMIT 1)
      UNION ALL
      SELECT (SELECT u.tenant_id FROM audit_unsealed u
               WHERE u.tenant_id > found.tenant_id ORDER BY u.tenant_id LIMIT 1)
        FROM found WHERE found.tenant_id IS NOT NULL
    )
    SELECT found.tenant_id FROM found JOIN tenants t ON t.tenant_id = found.tenant_id
     WHERE t.deleted_at IS NULL`.execute(tx.db);
  return rows.map((row) => row.tenant_id);
}

/**
 * Makes this transaction the one that seals the tenant's chain.
 * @param mayWait whether to wait for another one that does
 * @returns false when another one does, or when the tenant is gone
 */
export async function lockChain(tx: TenantTx, mayWait: boolean): Promise<boolean> {
  const lock = sql`hashtextextended(${`audit chain of ${tx.tenantId}`}, 0)`;
  const { rows } = mayWait
    ? await sql<{ is_ours: boolean }>`
        SELECT true AS is_ours FROM pg_advisory_xact_lock(${lock})`.execute(tx.db)
    : await sql<{ is_ours: boolean }>`
        SELECT pg_try_advisory_xact_lock(${lock}) AS is_ours`.execute(tx.db);
  if (!rows[0]?.is_ours) return false;
  const tenant = await tx.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tx.tenantId)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return tenant !== undefined;
}

/** The end of the chain; nothing while it is empty. */
export async function findHead(
  tx: TenantTx,
): Promise<Pick<PlaceInChain, 'position' | 'hash'> | undefined> {
  const row = await tx.db
    .selectFrom('audit_chain')
    .select(['position', 'hash'])
    .where('tenant_id', '=', tx.tenantId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { position: Number(row.position), hash: row.hash };
}

/** Entries that are not in the chain, the oldest first. */
export function findUnsealed(tx: TenantTx, limit: number): Promise<EntryRow[]> {
  return tx.db
    .selectFrom('audit_unsealed as u')
    .innerJoin('audit_entries as e', (join) =>
      join.onRef('e.tenant_id', '=', 'u.tenant_id').onRef('e.id', '=', 'u.id'),
    )
    .selectAll('e')
    .where('u.tenant_id', '=', tx.tenantId)
    .orderBy('u.id')
    .limit(limit)
    .execute();
}

/** An entry with the place that it gets. */
export interface SealedEntry extends PlaceInChain {
  readonly entryId: string;
}

/** Puts entries behind the end of the chain, with the signed head that it has then. */
export async function insertSealed(
  tx: TenantTx,
  sealed: readonly SealedEntry[],
  token: string,
): Promise<void> {
  const ids = sealed.map((one) => one.entryId);
  const positions = sealed.map((one) => one.position);
  const previous = sealed.map((one) => one.previous_hash?.toString('hex') ?? null);
  const hashes = sealed.map((one) => one.hash.toString('hex'));
  await sql`
    WITH sealed AS (
      INSERT INTO audit_chain (tenant_id, position, entry_id, previous_hash, hash)
      SELECT ${tx.tenantId}, s.position, s.id, decode(s.previous, 'hex'), decode(s.hash, 'hex')
        FROM unnest(${ids}::text[], ${positions}::bigint[], ${previous}::text[], ${hashes}::text[])
          AS s (id, position, previous, hash)
    ), gone AS (
      DELETE FROM audit_unsealed WHERE tenant_id = ${tx.tenantId} AND id = ANY (${ids}::text[])
    )
    INSERT INTO audit_checkpoints (tenant_id, position, token, created_at)
    VALUES (${tx.tenantId}, ${positions.at(-1)}, ${token}, ${tx.now})`.execute(tx.db);
}
