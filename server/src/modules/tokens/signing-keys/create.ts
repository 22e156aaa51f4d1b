import type { TenantId } from '@keywright/contract/ids';
import { newSigningKeyId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import { newSignatureKey } from '../../../platform/crypto/signature-key.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { insertSigningKey, type NewSigningKey } from './store.ts';
import { sealedPlace } from './sealed-place.ts';

/** A stored signing key: its private key encrypted under the tenant's data key. */
export type SealedSigningKey = Pick<NewSigningKey, 'id' | 'publicKey' | 'privateKey'>;

export function newSealedKey(tenantId: TenantId, dataKey: Buffer, now: Date): SealedSigningKey {
  const id = newSigningKeyId(now);
  const { publicKey, privateKey } = newSignatureKey();
  return { id, publicKey, privateKey: seal(dataKey, privateKey, sealedPlace(tenantId, id)) };
}

/** Gives a tenant one more signing key. */
export async function createSigningKey(
  tx: TenantTx,
  dataKey: Buffer,
  now: Date,
  signsFrom: Date,
): Promise<NewSigningKey> {
  const sealed = newSealedKey(tx.tenantId, dataKey, now);
  const key: NewSigningKey = { ...sealed, createdAt: now, signsFrom };
  await insertSigningKey(tx, key);
  return key;
}
