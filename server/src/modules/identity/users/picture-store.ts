import type { UserId } from '@keywright/contract/ids';
import { deleteFrom, from, type TenantTx } from '../../../tenancy/gate.ts';

interface Upload {
  readonly contentType: string;
  readonly digest: Buffer;
  readonly image: Buffer;
}

/** Stores the uploaded picture of a locked user. It replaces an earlier one. */
export async function putPicture(
  tx: TenantTx,
  userId: UserId,
  { contentType, digest, image }: Upload,
): Promise<void> {
  const values = { content_type: contentType, digest, image };
  await tx.db
    .insertInto('user_pictures')
    .values({ tenant_id: tx.tenantId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(values))
    .execute();
}

/** Deletes the uploaded picture of a user, which is then no longer served. */
export async function deletePicture(tx: TenantTx, userId: UserId): Promise<void> {
  await deleteFrom(tx, 'user_pictures').where('user_id', '=', userId).execute();
}

export function findPicture(tx: TenantTx, digest: Buffer) {
  return from(tx, 'user_pictures')
    .select(['content_type', 'image'])
    .where('digest', '=', digest)
    .limit(1)
    .executeTakeFirst();
}
