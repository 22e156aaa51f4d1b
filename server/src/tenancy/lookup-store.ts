// Lookups before a tenant is entered.

import type { TenantId } from '@keywright/contract/ids';
import type { TenantMessaging } from '@keywright/contract/records/tenant';
import type { QueryExecutorProvider } from 'kysely';
import { dataKey, type DataKeyRow } from '../../sql/tenancy/kw_data_key.ts';
import { resolveTenant, type ResolveTenantRow } from '../../sql/tenancy/kw_resolve_tenant.ts';
import { callAs } from '../platform/db/calls.ts';
import type { Database } from '../platform/db/database.ts';

export interface TenantRow {
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly config: Record<string, unknown>;
  readonly issuer: string | null;
  readonly is_active: boolean;
  /** Whether the tenant has its own mail server. */
  readonly has_mail_server: boolean;
  readonly foreign_hashes: ResolveTenantRow['foreign_hashes'];
  readonly identity_providers: ResolveTenantRow['identity_providers'];
}

/** How a request identifies its tenant. */
export type NamedTenant = { readonly id: string } | { readonly domain: string };

/** Finds the tenant with this ID or domain, before any tenant is entered. */
export async function findTenantRow(
  database: Database,
  by: NamedTenant,
): Promise<TenantRow | undefined> {
  const [row] = await database.run(resolveTenant, resolveTenant.values(namesOf(by)));
  return row && { ...row, has_mail_server: hasMailServer(row.messaging) };
}

/** As kw_load_tenant_and_providers decides. */
function hasMailServer({ email }: TenantMessaging): boolean {
  return email?.smtp_host !== undefined && email.from_address !== undefined;
}

export function namesOf(by: NamedTenant) {
  return 'id' in by ? { id: by.id, domain: null } : { id: null, domain: by.domain };
}

/** A stored data key: wrapped, with the ID of the master key. */
export type WrappedKey = DataKeyRow;

export async function findWrappedDataKeyOf(
  database: Database,
  tenantId: TenantId,
): Promise<WrappedKey | undefined> {
  const [row] = await database.run(dataKey, dataKey.values(tenantId, {}));
  return row;
}

/** Within a transaction. */
export async function findWrappedDataKeyIn(
  db: QueryExecutorProvider,
  tenantId: TenantId,
): Promise<WrappedKey | undefined> {
  const [row] = await callAs({ db, tenantId }, dataKey, {});
  return row;
}
