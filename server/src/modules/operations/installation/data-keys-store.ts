import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { WrappedKey } from '../../../tenancy/store.ts';
import type { SystemTx } from '../../../tenancy/system.ts';

/** A tenant's data key as stored. */
export interface KeptDataKey extends WrappedKey {
  readonly tenant_id: TenantId;
}

/** The number of data keys per master key, including unavailable master keys. */
export async function countDataKeys(tx: SystemTx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.db
    .selectFrom('tenant_data_keys')
    .select('master_key_id')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .groupBy('master_key_id')
    .execute();
  return new Map(rows.map((row) => [row.master_key_id, Number(row.n)]));
}

/** Data keys of that many random tenants. */
export function sampleDataKeys(tx: SystemTx, size: number): Promise<KeptDataKey[]> {
  return dataKeys(tx)
    .orderBy(sql`random()`)
    .limit(size)
    .execute();
}

/**
 * Locks, until the commit, some data keys that another master key wraps: those of the next tenants after that id.
 */
export function lockDataKeysOfOthers(
  tx: SystemTx,
  masterKeyId: string,
  after: string,
  limit: number,
): Promise<KeptDataKey[]> {
  return dataKeys(tx)
    .where(sql<boolean>`tenant_id > ${after}`)
    .where('master_key_id', '<>', masterKeyId)
    .orderBy('tenant_id')
    .limit(limit)
    .forUpdate()
    .execute();
}

/** Stores these rewrapped data keys. */
export async function replaceDataKeys(tx: SystemTx, keys: readonly KeptDataKey[]): Promise<void> {
  const ids = keys.map((key) => key.tenant_id);
  const wrapped = keys.map((key) => key.wrapped_key.toString('hex'));
  const masterKeyIds = keys.map((key) => key.master_key_id);
  await sql`
    UPDATE tenant_data_keys AS kept
       SET wrapped_key = decode(anew.wrapped, 'hex'), master_key_id = anew.master_key_id
      FROM unnest(${ids}::text[], ${wrapped}::text[], ${masterKeyIds}::text[])
        AS anew (tenant_id, wrapped, master_key_id)
     WHERE kept.tenant_id = anew.tenant_id`.execute(tx.db);
}

function dataKeys(tx: SystemTx) {
  return tx.db.selectFrom('tenant_data_keys').select(['tenant_id', 'wrapped_key', 'master_key_id']);
}
