// What is looked up before a tenant is entered.

import type { TenantId } from '@keywright/contract/ids';
import { sql, type Transaction } from 'kysely';
import { type Database, lookUp } from '../platform/db/database.ts';
import type { DB } from '../platform/db/schema.ts';

export interface TenantRow {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly issuer: string | null;
  readonly is_active: boolean;
}

const resolveTenant = lookUp('kw_resolve_tenant', 'SELECT * FROM kw_resolve_tenant($1, $2)');

/** How a request names its tenant. */
export type NamedTenant = { readonly id: string } | { readonly domain: string };

/** Before a tenant is known: the one with this id, or the one that has this domain. */
export async function findTenantRow(
  database: Database,
  by: NamedTenant,
): Promise<TenantRow | undefined> {
  const [row] = await database.run<TenantRow>(resolveTenant, valuesOf(by));
  return row;
}

export function valuesOf(by: NamedTenant): readonly (string | null)[] {
  return 'id' in by ? [by.id, null] : [null, by.domain];
}

/** A data key as it is kept: wrapped, and by which master key. */
export interface WrappedKey {
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

export const DATA_KEY = lookUp('kw_data_key', 'SELECT * FROM kw_data_key($1)');

export async function findWrappedDataKeyOf(
  database: Database,
  tenantId: TenantId,
): Promise<WrappedKey | undefined> {
  const [row] = await database.run<WrappedKey>(DATA_KEY, [tenantId]);
  return row;
}

/** As a transaction sees it. */
export async function findWrappedDataKeyIn(
  db: Transaction<DB>,
  tenantId: TenantId,
): Promise<WrappedKey | undefined> {
  const { rows } = await sql<WrappedKey>`SELECT * FROM kw_data_key(${tenantId})`.execute(db);
  return rows[0];
}
