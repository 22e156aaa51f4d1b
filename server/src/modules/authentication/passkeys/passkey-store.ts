import type { FactorId, UserId } from '@keywright/contract/ids';
import { from, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { KnownPasskey } from './passkey-options.ts';
import type { Asserted } from './webauthn.ts';

/** A passkey of a user, and the handle that authenticators identify the user by. */
interface UserPasskey extends KnownPasskey {
  readonly id: FactorId;
  readonly userHandle: Buffer;
  readonly rpId: string;
}

function passkeysOf(tx: TenantTx, userId: UserId) {
  return from(tx, 'user_factors').where('user_id', '=', userId).where('type', '=', 'passkey');
}

export async function findPasskeys(tx: TenantTx, userId: UserId): Promise<UserPasskey[]> {
  const rows = await passkeysOf(tx, userId)
    .select(['id', 'credential_id', 'transports', 'user_handle', 'rp_id'])
    .orderBy('id')
    .execute();
  return rows.flatMap((row) => {
    const { id, credential_id: credentialId, user_handle: userHandle, rp_id: rpId } = row;
    if (!credentialId || !userHandle || rpId === null) return [];
    return [{ id, credentialId, userHandle, rpId, transports: row.transports ?? [] }];
  });
}

/** Locks a passkey until the commit. @returns undefined if it does not belong to the user */
export async function lockPasskey(tx: TenantTx, userId: UserId, credentialId: Buffer) {
  const row = await passkeysOf(tx, userId)
    .select(['id', 'public_key', 'algorithm', 'backup_eligible', 'user_handle', 'rp_id'])
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
  const { public_key: publicKey, algorithm, user_handle: userHandle, rp_id: rpId } = row ?? {};
  if (!row || !publicKey || !userHandle || typeof algorithm !== 'number') return undefined;
  const isBackupEligible = row.backup_eligible === true;
  return { id: row.id, publicKey, algorithm, isBackupEligible, userHandle, rpId };
}

/** Stores the counter of an assertion. @returns false if it did not increase, as in `kw_use_passkeys` */
export async function usePasskey(
  tx: TenantTx,
  userId: UserId,
  id: FactorId,
  { counter, isBackedUp }: Asserted,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'user_factors')
    .set({ counter: String(counter), backed_up: isBackedUp, last_used_at: tx.now })
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
