import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import type { SystemTx } from '../../../tenancy/system.ts';

/** The key of this hash, whichever tenant it is of. */
export async function findKeyOfAnyTenant(
  tx: SystemTx,
  hash: Buffer,
): Promise<{ readonly tenantId: TenantId; readonly keyId: ApiKeyId } | undefined> {
  const row = await tx.db
    .selectFrom('api_keys')
    .select(['tenant_id', 'id'])
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
  return row && { tenantId: row.tenant_id, keyId: row.id };
}
