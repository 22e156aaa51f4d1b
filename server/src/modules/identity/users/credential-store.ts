import type { UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** The provider of passwords that the service itself keeps. */
const LOCAL = 'local';

/** Sets the password of a user. */
export async function setSecretHash(
  tx: TenantTx,
  userId: UserId,
  secretHash: string,
): Promise<void> {
  await tx.db
    .insertInto('user_credentials')
    .values({
      tenant_id: tx.tenantId,
      user_id: userId,
      type: 'password',
      provider: LOCAL,
      secret_hash: secretHash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id', 'type', 'provider'])
        .doUpdateSet({ secret_hash: secretHash }),
    )
    .execute();
}

/** Sets another hash, if the one there is still the expected one. @returns whether it was. */
export async function replaceSecretHash(
  tx: TenantTx,
  userId: UserId,
  expected: string,
  secretHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('user_credentials')
    .set({ secret_hash: secretHash })
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .where('secret_hash', '=', expected)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findSecretHash(tx: TenantTx, userId: UserId): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('user_credentials')
    .select('secret_hash')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .executeTakeFirst();
  return row?.secret_hash ?? undefined;
}
