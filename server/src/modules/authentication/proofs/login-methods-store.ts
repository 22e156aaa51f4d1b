import type { IdentityProviderId, UserId } from '@keywright/contract/ids';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The login methods that a user has, whether or not the tenant allows them. */
export interface UserLoginMethods {
  readonly has_password: boolean;
  readonly passkeys: number;
  readonly has_address: boolean;
  readonly has_phone: boolean;
  /** At active providers. */
  readonly identities: number;
}

/**
 * The columns of `UserLoginMethods`. Identities are looked up by user: the index by provider does not contain passwords
 * and cannot serve `<> 'password'`, and a join does not start from the provider either.
 * @param user the user's ID: a value, or a column
 * @param excluded a provider that does not count
 */
function loginMethodColumns(
  { tenantId }: TenantTx,
  user: RawBuilder<string>,
  excluded?: IdentityProviderId,
) {
  const others = excluded === undefined ? sql`` : sql`AND o.provider <> ${excluded}`;
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

export async function findUserLoginMethods(
  tx: TenantTx,
  userId: UserId,
): Promise<UserLoginMethods> {
  const columns = loginMethodColumns(tx, sql`${userId}`);
  const { rows } = await sql<UserLoginMethods>`SELECT ${columns}`.execute(tx.db);
  const [methods] = rows;
  if (!methods) throw new Error('The login methods of a user were not looked up.');
  return methods;
}

interface UsersByLoginMethods extends UserLoginMethods {
  readonly users: number;
}

/**
 * Counts a provider's users by the login methods that they have without it.
 * @param limit the maximum number of users to inspect
 */
export async function countUsersByOtherLoginMethods(
  tx: TenantTx,
  provider: IdentityProviderId,
  limit: number,
): Promise<readonly UsersByLoginMethods[]> {
  // With statistics of few users, a plan for this tenant would scan all users once per user.
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx.db);
  const { rows } = await sql<UsersByLoginMethods>`
    SELECT has_password, passkeys, has_address, has_phone, identities, count(*)::int AS users
      FROM (SELECT ${loginMethodColumns(tx, sql.ref('linked.user_id'), provider)}
              FROM (SELECT user_id FROM user_credentials
                     WHERE tenant_id = ${tx.tenantId} AND provider = ${provider} AND type = 'oauth'
                     LIMIT ${limit}) AS linked) AS ways
     GROUP BY 1, 2, 3, 4, 5`.execute(tx.db);
  return rows;
}
