import type { UserId } from '@keywright/contract/ids';
import type { TenantData } from '../../../tenancy/gate.ts';

/** What administrators wrote about a user. */
export function findMetadataOf(
  tenant: TenantData,
  id: UserId,
): Promise<Readonly<Record<string, unknown>>> {
  return tenant.transaction(async (tx) => {
    const row = await tx.db
      .selectFrom('users')
      .select('metadata')
      .where('tenant_id', '=', tx.tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return (row?.metadata ?? {}) as Record<string, unknown>;
  });
}
