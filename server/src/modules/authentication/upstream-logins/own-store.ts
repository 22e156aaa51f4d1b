import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import type { IdentityRecord } from '@keywright/contract/records/identity-provider';
import { sql } from 'kysely';
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

/** How a user can log in, as far as their account goes. */
export interface Ways {
  readonly has_password: boolean;
  readonly has_passkey: boolean;
  readonly has_address: boolean;
  readonly has_phone: boolean;
  readonly has_identity: boolean;
}

export async function findWays(tx: TenantTx, userId: UserId): Promise<Ways> {
  const { rows } = await sql<Ways>`
    SELECT EXISTS (SELECT FROM user_credentials c
                    WHERE c.tenant_id = ${tx.tenantId} AND c.user_id = ${userId} AND c.type = 'password') AS has_password,
           EXISTS (SELECT FROM user_factors f
                    WHERE f.tenant_id = ${tx.tenantId} AND f.user_id = ${userId} AND f.type = 'passkey') AS has_passkey,
           EXISTS (SELECT FROM user_identifiers i
                    WHERE i.tenant_id = ${tx.tenantId} AND i.user_id = ${userId} AND i.type = 'email' AND i.verified)
             AS has_address,
           EXISTS (SELECT FROM user_identifiers n
                    WHERE n.tenant_id = ${tx.tenantId} AND n.user_id = ${userId} AND n.type = 'phone' AND n.verified)
             AS has_phone,
           EXISTS (SELECT FROM user_credentials o
                     JOIN identity_providers p ON p.tenant_id = o.tenant_id AND p.id = o.provider AND p.is_active
                    WHERE o.tenant_id = ${tx.tenantId} AND o.user_id = ${userId} AND o.type = 'oauth') AS has_identity`.execute(
    tx.db,
  );
  const [ways] = rows;
  if (!ways) throw new Error('The ways of a user were not looked up.');
  return ways;
}
