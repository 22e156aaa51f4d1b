import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

export interface TenantCounts {
  readonly users: number;
  readonly withPassword: number;
  readonly withSession: number;
}

/** How many active users there are, how many of them log in with a password, how many are logged in now. */
export async function countAffected(tx: TenantTx, now: Date): Promise<TenantCounts> {
  const { rows } = await sql<TenantCounts>`
    SELECT
      (SELECT count(*)::integer FROM users
        WHERE tenant_id = ${tx.tenantId} AND is_active) AS users,
      (SELECT count(*)::integer FROM users u
        WHERE u.tenant_id = ${tx.tenantId} AND u.is_active AND EXISTS (
          SELECT FROM user_credentials c
           WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.type = 'password'))
        AS "withPassword",
      (SELECT count(DISTINCT user_id)::integer FROM sessions
        WHERE tenant_id = ${tx.tenantId} AND is_active AND expires_at > ${now}) AS "withSession"`.execute(
    tx.db,
  );
  return rows[0] as TenantCounts;
}
