import type { AgentId, DelegationId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { deleteFrom, from, type TenantTx } from '../../../tenancy/gate.ts';

export async function deleteCredentials(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'user_credentials').where('user_id', '=', userId).execute();
}

export async function deleteFactorsOf(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'user_factors').where('user_id', '=', userId).execute();
}

interface RevokedDelegation {
  readonly id: DelegationId;
  readonly user_id: UserId;
  readonly agent_id: AgentId;
}

/** Revokes the delegations that the user granted. */
export async function revokeDelegations(
  tx: TenantTx,
  userId: UserId,
  reason: string,
): Promise<readonly RevokedDelegation[]> {
  const { rows } = await sql<RevokedDelegation>`
    WITH given AS (
      SELECT x.id FROM delegations x
       WHERE x.tenant_id = ${tx.tenantId} AND x.user_id = ${userId} AND x.revoked_at IS NULL
       ORDER BY x.id FOR UPDATE
    )
    UPDATE delegations d SET revoked_at = ${tx.now}, revoke_reason = ${reason} FROM given
     WHERE d.tenant_id = ${tx.tenantId} AND d.id = given.id
    RETURNING d.id, d.user_id, d.agent_id`.execute(tx.db);
  return rows;
}

/** The first verified email address of an active user. */
export function findReachable(tx: TenantTx, userId: UserId) {
  return from(tx, 'users as u')
    .innerJoin('user_identifiers as i', (join) =>
      join.onRef('i.tenant_id', '=', 'u.tenant_id').onRef('i.user_id', '=', 'u.id'),
    )
    .select(['i.identifier', 'u.auth_version'])
    .where('u.id', '=', userId)
    .where('u.is_active', '=', true)
    .where('i.type', '=', 'email')
    .where('i.verified', '=', true)
    .orderBy('i.position')
    .limit(1)
    .executeTakeFirst();
}
