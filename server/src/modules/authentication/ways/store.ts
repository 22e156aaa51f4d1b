import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** How a user can log in, as far as their account goes. */
export interface Ways {
  readonly has_password: boolean;
  readonly passkeys: number;
  readonly has_address: boolean;
  readonly has_phone: boolean;
  /** At providers that are active. */
  readonly identities: number;
}

export async function findWays(tx: TenantTx, userId: UserId): Promise<Ways> {
  const { rows } = await sql<Ways>`
    SELECT EXISTS (SELECT FROM user_credentials c
                    WHERE c.tenant_id = ${tx.tenantId} AND c.user_id = ${userId} AND c.type = 'password') AS has_password,
           (SELECT count(*)::int FROM user_factors f
             WHERE f.tenant_id = ${tx.tenantId} AND f.user_id = ${userId} AND f.type = 'passkey') AS passkeys,
           EXISTS (SELECT FROM user_identifiers i
                    WHERE i.tenant_id = ${tx.tenantId} AND i.user_id = ${userId} AND i.type = 'email' AND i.verified)
             AS has_address,
           EXISTS (SELECT FROM user_identifiers n
                    WHERE n.tenant_id = ${tx.tenantId} AND n.user_id = ${userId} AND n.type = 'phone' AND n.verified)
             AS has_phone,
           (SELECT count(*)::int FROM user_credentials o
              JOIN identity_providers p ON p.tenant_id = o.tenant_id AND p.id = o.provider AND p.is_active
             WHERE o.tenant_id = ${tx.tenantId} AND o.user_id = ${userId} AND o.type = 'oauth') AS identities`.execute(
    tx.db,
  );
  const [ways] = rows;
  if (!ways) throw new Error('The ways of a user were not looked up.');
  return ways;
}
