import type { FactorId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { KnownPasskey, NewPasskey } from '../../authentication/passkeys/index.ts';
import { type FactorRow, SHOWN } from './store.ts';

/** A passkey, and what its authenticator knows the user by. */
interface OwnedPasskey extends KnownPasskey {
  readonly id: FactorId;
  readonly userHandle: Buffer;
  readonly rpId: string;
}

export async function listPasskeys(tx: TenantTx, userId: UserId): Promise<OwnedPasskey[]> {
  const rows = await tx.db
    .selectFrom('user_factors')
    .select(['id', 'credential_id', 'transports', 'user_handle', 'rp_id'])
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'passkey')
    .orderBy('id')
    .execute();
  return rows.flatMap(
    ({ id, credential_id: credentialId, user_handle: userHandle, rp_id: rpId, ...row }) =>
      credentialId && userHandle && rpId !== null
        ? [{ id, credentialId, userHandle, rpId, transports: row.transports ?? [] }]
        : [],
  );
}

interface Owner {
  readonly id: FactorId;
  readonly userId: UserId;
  readonly name: string;
  readonly rpId: string;
  readonly userHandle: Buffer;
}

/** @returns undefined if the tenant has the credential already, whoever's it is */
export function insertPasskey(
  tx: TenantTx,
  { id, userId, name, rpId, userHandle }: Owner,
  passkey: NewPasskey,
): Promise<FactorRow | undefined> {
  return tx.db
    .insertInto('user_factors')
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      type: 'passkey',
      name,
      created_at: tx.now,
      confirmed_at: tx.now,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      algorithm: passkey.algorithm,
      cose_key: passkey.coseKey,
      rp_id: rpId,
      counter: String(passkey.counter),
      backup_eligible: passkey.isBackupEligible,
      backed_up: passkey.isBackedUp,
      transports: sql<string[]>`${[...passkey.transports]}::text[]`,
      aaguid: passkey.aaguid,
      user_handle: userHandle,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'credential_id'])
        .where('credential_id', 'is not', null)
        .doNothing(),
    )
    .returning(SHOWN)
    .executeTakeFirst();
}
