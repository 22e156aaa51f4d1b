import type { UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The first verified e-mail address of an active user. */
export function findReachable(tx: TenantTx, userId: UserId) {
  return tx.db
    .selectFrom('users as u')
    .innerJoin('user_identifiers as i', (join) =>
      join.onRef('i.tenant_id', '=', 'u.tenant_id').onRef('i.user_id', '=', 'u.id'),
    )
    .select(['i.identifier', 'u.auth_version'])
    .where('u.tenant_id', '=', tx.tenantId)
    .where('u.id', '=', userId)
    .where('u.is_active', '=', true)
    .where('i.type', '=', 'email')
    .where('i.verified', '=', true)
    .orderBy('i.position')
    .limit(1)
    .executeTakeFirst();
}
