import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { dataKey } from '../../sql/tenancy/kw_data_key.ts';
import { loadTenantAndProviders } from '../../sql/tenancy/kw_load_tenant_and_providers.ts';
import { signingKeys, type SigningKeysRow } from '../../sql/tenancy/kw_signing_keys.ts';
import type { Database } from '../platform/db/database.ts';
import type { SystemTx, TenantData, TenantTx } from './gate.ts';
import {
  findTenantRow,
  type NamedTenant,
  type TenantRow,
  namesOf,
  type WrappedKey,
} from './lookup-store.ts';

export { findTenantRow, type NamedTenant, type TenantRow, type WrappedKey };

/**
 * A stored signing key, and the data key that encrypts its private key. `private_key` is null once the key was
 * retired, and the data key once it was destroyed.
 */
export type StoredSigningKey = Omit<SigningKeysRow, 'tenant_id'>;

/** A tenant and its signing keys, newest first. */
export interface LoadedTenant {
  readonly row: TenantRow;
  readonly keys: readonly StoredSigningKey[];
}

/** Loads everything that a node needs for the first request of a tenant, in one round trip. */
export async function loadTenant(
  database: Database,
  by: NamedTenant,
): Promise<LoadedTenant | undefined> {
  const rows = await database.run(
    loadTenantAndProviders,
    loadTenantAndProviders.values(namesOf(by)),
  );
  const [row] = rows;
  return row && { row, keys: rows.filter((key) => key.id !== null) };
}

/** The signing keys of a tenant, newest first. */
export function listStoredSigningKeys(tenant: TenantData): Promise<StoredSigningKey[]> {
  return tenant.call(signingKeys, {});
}

export async function findWrappedDataKey(tenant: TenantData): Promise<WrappedKey | undefined> {
  const [row] = await tenant.call(dataKey, {});
  return row;
}

export function countVisibleCheckRows(tx: TenantTx): Promise<number> {
  return count(tx);
}

export function countAllCheckRows(tx: SystemTx): Promise<number> {
  return count(tx);
}

async function count(tx: TenantTx | SystemTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM isolation_check`.execute(tx.db);
  return rows[0]?.n ?? 0;
}

/** Whether the tenant exists. If so, it cannot be deleted before the commit. */
export async function tenantExists(tx: SystemTx, id: TenantId): Promise<boolean> {
  return (await findAccessVersion(tx, id)) !== undefined;
}

/**
 * Returns how often a tenant was reactivated; undefined for an unknown tenant. A known tenant cannot be deleted
 * before the commit.
 */
export async function findAccessVersion(tx: SystemTx, id: TenantId): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('tenants')
    .select('access_version')
    .where('tenant_id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return row?.access_version;
}

/** The tables with a tenant_id where row-level security is disabled, or not forced for the owner. */
export async function listUnguardedTables(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
     ORDER BY 1`.execute(tx.db);
  return rows.map((row) => row.name);
}
