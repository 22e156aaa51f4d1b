import type { FactorId, UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Asserted } from '../../authentication/passkeys/index.ts';

/** Locks a passkey of a user. @returns undefined if it is not theirs */
export async function findPasskey(tx: TenantTx, userId: UserId, credentialId: Buffer) {
  const row = await tx.db
    .selectFrom('user_factors')
    .select(['id', 'public_key', 'algorithm', 'backup_eligible', 'user_handle', 'rp_id'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
  const { public_key: publicKey, algorithm, user_handle: userHandle, rp_id: rpId } = row ?? {};
  if (!row || !publicKey || !userHandle || typeof algorithm !== 'number') return undefined;
  const isBackupEligible = row.backup_eligible === true;
  return { id: row.id, publicKey, algorithm, isBackupEligible, userHandle, rpId };
}

/** @returns whether its signatures have counted up, as in `kw_use_passkeys` */
export async function usePasskey(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  { counter, isBackedUp }: Asserted,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('user_factors')
    .set({ counter: String(counter), backed_up: isBackedUp, last_used_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where((is) =>
      is.or([
        is('counter', '<', String(counter)),
        is.and([is('counter', '=', '0'), is(is.val(counter), '=', 0)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
