import { newSigningKeyId } from '../../platform/crypto/ids.ts';
import { seal } from '../../platform/crypto/sealed.ts';
import { newSignatureKey } from '../../platform/crypto/signature-key.ts';
import type { TenantTx } from '../../tenancy/gate.ts';
import { insertSigningKey, type NewSigningKey } from './store.ts';
import { sealedPlace } from './sealed-place.ts';

/** Gives a tenant one more signing key, sealed under its data key. */
export async function createSigningKey(
  tx: TenantTx,
  dataKey: Buffer,
  now: Date,
  signsFrom: Date,
): Promise<NewSigningKey> {
  const id = newSigningKeyId(now);
  const { publicKey, privateKey } = newSignatureKey();
  const key: NewSigningKey = {
    id,
    publicKey,
    privateKey: seal(dataKey, privateKey, sealedPlace(tx.tenantId, id)),
    createdAt: now,
    signsFrom,
  };
  await insertSigningKey(tx, key);
  return key;
}
