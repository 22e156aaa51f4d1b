import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import { type RawBuilder, sql } from 'kysely';
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

/**
 * The columns of `Ways`. Identities are looked up by their user: the index by provider has nothing of passwords, and cannot
 * serve `<> 'password'`; nor does a join begin with the provider.
 * @param user whose they are: a value, or a column
 * @param leftOut a provider that does not count
 */
function waysOf({ tenantId }: TenantTx, user: RawBuilder<string>, leftOut?: IdentityProviderId) {
  const others = leftOut === undefined ? sql`` : sql`AND o.provider <> ${leftOut}`;
  return sql`
           EXISTS (SELECT FROM user_credentials c
                    WHERE c.tenant_id = ${tenantId} AND c.user_id = ${user} AND c.type = 'password') AS has_password,
           (SELECT count(*)::int FROM user_factors f
             WHERE f.tenant_id = ${tenantId} AND f.user_id = ${user} AND f.type = 'passkey') AS passkeys,
           EXISTS (SELECT FROM user_identifiers i
                    WHERE i.tenant_id = ${tenantId} AND i.user_id = ${user} AND i.type = 'email' AND i.verified
                      AND i.identifier !~ '[@.]localhost$')
             AS has_address,
           EXISTS (SELECT FROM user_identifiers n
                    WHERE n.tenant_id = ${tenantId} AND n.user_id = ${user} AND n.type = 'phone' AND n.verified)
             AS has_phone,
           (SELECT count(*)::int FROM user_credentials o
             WHERE o.tenant_id = ${tenantId} AND o.user_id = ${user} AND o.type <> 'password' ${others}
               AND (SELECT p.is_active FROM identity_providers p
                     WHERE p.tenant_id = o.tenant_id AND p.id = o.provider)) AS identities`;
}

export async function findWays(tx: TenantTx, userId: UserId): Promise<Ways> {
  const { rows } = await sql<Ways>`SELECT ${waysOf(tx, sql`${userId}`)}`.execute(tx.db);
  const [ways] = rows;
  if (!ways) throw new Error('The ways of a user were not looked up.');
  return ways;
}

interface Alike extends Ways {
  readonly users: number;
}

/** How the users of a provider could log in without it, each combination once. @param most of its users are looked at */
export async function countOtherWays(
  tx: TenantTx,
  provider: IdentityProviderId,
  most: number,
): Promise<readonly Alike[]> {
  // Planned for this tenant while its statistics know of few users, it goes through all of them for each of them.
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx.db);
  const { rows } = await sql<Alike>`
    SELECT has_password, passkeys, has_address, has_phone, identities, count(*)::int AS users
      FROM (SELECT ${waysOf(tx, sql.ref('linked.user_id'), provider)}
              FROM (SELECT user_id FROM user_credentials
                     WHERE tenant_id = ${tx.tenantId} AND provider = ${provider} AND type = 'oauth'
                     LIMIT ${most}) AS linked) AS ways
     GROUP BY 1, 2, 3, 4, 5`.execute(tx.db);
  return rows;
}
