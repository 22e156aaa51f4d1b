import type { TenantId } from '@keywright/contract/ids';
import { DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { SystemTx } from '../../tenancy/system.ts';

export interface NewTenantRow {
  readonly id: TenantId;
  readonly name: string;
  readonly domains: readonly string[];
  readonly config: Partial<TenantConfig>;
  readonly wrappedDataKey: Buffer;
  readonly masterKeyId: string;
}

export async function tenantExists(tx: SystemTx, id: TenantId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The tenant itself, its domains, its data key and its first workspace. */
export async function insertTenant(tx: SystemTx, tenant: NewTenantRow, now: Date): Promise<void> {
  await tx.db
    .insertInto('tenants')
    .values({
      tenant_id: tenant.id,
      name: tenant.name,
      config: JSON.stringify(tenant.config),
      created_at: now,
    })
    .execute();
  if (tenant.domains.length > 0) {
    await tx.db
      .insertInto('tenant_domains')
      .values(tenant.domains.map((domain) => ({ tenant_id: tenant.id, domain })))
      .execute();
  }
  await tx.db
    .insertInto('tenant_data_keys')
    .values({
      tenant_id: tenant.id,
      wrapped_key: tenant.wrappedDataKey,
      master_key_id: tenant.masterKeyId,
      created_at: now,
    })
    .execute();
  await tx.db
    .insertInto('workspaces')
    .values({
      tenant_id: tenant.id,
      id: DEFAULT_WORKSPACE,
      name: 'Default Workspace',
      slug: 'default',
      created_at: now,
    })
    .execute();
}
