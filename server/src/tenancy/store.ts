import type { TenantId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type Database, lookUp } from '../platform/db/database.ts';
import type { TenantData, TenantTx } from './gate.ts';
import type { SystemTx } from './system.ts';

export interface TenantRow {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly issuer: string | null;
  readonly is_active: boolean;
}

const resolveTenant = lookUp('kw_resolve_tenant', 'SELECT * FROM kw_resolve_tenant($1, $2)');

/** Before a tenant is known: the one with this id, or the one that has this domain. */
export async function findTenantRow(
  database: Database,
  by: { readonly id: string } | { readonly domain: string },
): Promise<TenantRow | undefined> {
  const values = 'id' in by ? [by.id, null] : [null, by.domain];
  const [row] = await database.run<TenantRow>(resolveTenant, values);
  return row;
}

/** A data key as it is kept: wrapped, and by which master key. */
export interface WrappedKey {
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

const dataKey = lookUp('kw_data_key', 'SELECT * FROM kw_data_key($1)');

export async function findWrappedDataKey(tenant: TenantData): Promise<WrappedKey | undefined> {
  const [row] = await tenant.call<WrappedKey>(dataKey, []);
  return row;
}

export function countCanaries(tx: TenantTx): Promise<number> {
  return count(tx);
}

export function countCanariesOfAll(tx: SystemTx): Promise<number> {
  return count(tx);
}

async function count(tx: TenantTx | SystemTx): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::integer AS n FROM isolation_canary`.execute(tx.db);
  return rows[0]?.n ?? 0;
}

/** Whether there is such a tenant; if so, it is there until the commit. */
export async function tenantExists(tx: SystemTx, id: TenantId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** The tables with a tenant_id on which row-level security is not on, or does not bind their owner. */
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
