import type { UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

type OwnMetadata = Readonly<Record<string, unknown>>;

function ownMetadata(tx: TenantTx, userId: UserId) {
  return tx.db
    .selectFrom('users')
    .select('user_metadata')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId);
}

export async function findOwnMetadata(
  tx: TenantTx,
  userId: UserId,
): Promise<OwnMetadata | undefined> {
  const row = await ownMetadata(tx, userId).executeTakeFirst();
  return row?.user_metadata as OwnMetadata | undefined;
}

/** Locks the user until the commit. */
export async function lockOwnMetadata(
  tx: TenantTx,
  userId: UserId,
): Promise<OwnMetadata | undefined> {
  const row = await ownMetadata(tx, userId).forUpdate().executeTakeFirst();
  return row?.user_metadata as OwnMetadata | undefined;
}
