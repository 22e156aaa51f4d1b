import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The identities of a user, in the order of their providers. */
export async function findIdentities(tx: TenantTx, userId: UserId): Promise<IdentityRecord[]> {
  const rows = await tx.db
    .selectFrom('user_credentials as c')
    .innerJoin('identity_providers as p', (join) =>
      join.onRef('p.tenant_id', '=', 'c.tenant_id').onRef('p.id', '=', 'c.provider'),
    )
    .select(['p.id', 'p.type', 'p.name', 'p.is_active'])
    .where('c.tenant_id', '=', tx.tenantId)
    .where('c.user_id', '=', userId)
    .where('c.type', '=', 'oauth')
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute();
  return rows.map((row) => ({
    provider_id: row.id,
    tenant_id: tx.tenantId,
    type: row.type as IdentityRecord['type'],
    name: row.name,
    is_active: row.is_active,
  }));
}

/** @returns whether there was one */
export async function deleteIdentity(
  tx: TenantTx,
  userId: UserId,
  provider: IdentityProviderId,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('user_credentials')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'oauth')
    .where('provider', '=', provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
