import { maskAddress } from './message.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

export interface NewSuppression {
  readonly id: string;
  readonly address: string;
  readonly sealed: Buffer;
  readonly reason: 'bounce' | 'complaint';
}

export async function findSuppression(tx: TenantTx, id: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('suppressions')
    .select('reason')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.reason;
}

/** A bounce outweighs a complaint. */
export async function insertSuppression(
  tx: TenantTx,
  { id, address, sealed, reason }: NewSuppression,
): Promise<void> {
  await tx.db
    .insertInto('suppressions')
    .values({
      tenant_id: tx.tenantId,
      id,
      destination: sealed,
      masked_destination: maskAddress(address),
      reason,
      created_at: tx.now,
    })
    .onConflict((conflict) =>
      reason === 'bounce'
        ? conflict.columns(['tenant_id', 'id']).doUpdateSet({ reason })
        : conflict.doNothing(),
    )
    .execute();
}
