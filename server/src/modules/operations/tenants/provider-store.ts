import type { TenantTx } from '../../../tenancy/gate.ts';

/** Whether logins can use an identity provider. */
export async function hasActiveProvider(tx: TenantTx): Promise<boolean> {
  const row = await tx.db
    .selectFrom('identity_providers')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
