import type { SigningKeyId } from '@keywright/contract/ids';
import type { SystemTx } from '../../tenancy/system.ts';
import type { TenantTx } from '../../tenancy/gate.ts';

export interface NewSigningKey {
  readonly id: SigningKeyId;
  readonly publicKey: string;
  /** Sealed under the tenant's data key. */
  readonly privateKey: Buffer;
  readonly createdAt: Date;
}

export async function insertSigningKey(
  tx: SystemTx,
  tenantId: string,
  key: NewSigningKey,
): Promise<void> {
  await tx.db
    .insertInto('signing_keys')
    .values({
      tenant_id: tenantId,
      id: key.id,
      algorithm: 'EdDSA',
      public_key: key.publicKey,
      private_key: key.privateKey,
      created_at: key.createdAt,
    })
    .execute();
}

/** Every published key, the newest first. */
export function listSigningKeys(tx: TenantTx) {
  return tx.db
    .selectFrom('signing_keys')
    .select(['id', 'public_key', 'private_key'])
    .where('tenant_id', '=', tx.tenantId)
    .where('is_active', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}
