import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/**
 * Whether the session that was just opened is not the user's first one. Sessions are deleted after their life, so a
 * user who is older than that counts as having had one. Sessions of whoever had the account before do not count.
 */
export async function hasLoggedInBefore(
  tx: TenantTx,
  userId: UserId,
  lifeSeconds: number,
): Promise<boolean> {
  const oldest = new Date(tx.now.getTime() - lifeSeconds * 1000);
  const { rows } = await sql<{ answer: boolean }>`
    SELECT u.created_at < ${oldest} OR 1 < (
             SELECT count(*) FROM (
               SELECT FROM sessions s
                WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id
                  AND s.end_reason IS DISTINCT FROM 'account_reclaimed' LIMIT 2) AS two) AS answer
      FROM users u WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${userId}`.execute(tx.db);
  return rows[0]?.answer ?? false;
}
