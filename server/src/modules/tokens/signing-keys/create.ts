import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { newSigningKeyId } from '../../../platform/crypto/ids.ts';
import { newOpensslKey } from '../../../platform/crypto/openssl-key.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import { newSignatureKey } from '../../../platform/crypto/signature-key.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { insertSigningKey, type NewSigningKey } from './store.ts';
import { sealedPlace } from './sealed-place.ts';

/** A new key, which is not stored yet. */
export interface KeyPair {
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: string;
  /** PKCS#8 (DER). */
  readonly privateKey: Buffer;
}

/** A stored signing key: its private key encrypted under the tenant's data key. */
export type SealedSigningKey = Pick<NewSigningKey, 'id' | 'publicKey' | 'privateKey'>;

export async function newKeyPair(algorithm: KeyAlgorithm): Promise<KeyPair> {
  const pair = algorithm === 'EdDSA' ? newSignatureKey() : await newOpensslKey(algorithm);
  return { algorithm, ...pair };
}

/** The first key of a new tenant, of EdDSA. */
export function newSealedKey(tenantId: TenantId, dataKey: Buffer, now: Date): SealedSigningKey {
  return sealKey(tenantId, dataKey, now, newSignatureKey());
}

function sealKey(
  tenantId: TenantId,
  dataKey: Buffer,
  now: Date,
  { publicKey, privateKey }: Omit<KeyPair, 'algorithm'>,
): SealedSigningKey {
  const id = newSigningKeyId(now);
  return { id, publicKey, privateKey: seal(dataKey, privateKey, sealedPlace(tenantId, id)) };
}

/** Gives a tenant one more signing key. */
export async function createSigningKey(
  tx: TenantTx,
  dataKey: Buffer,
  pair: KeyPair,
  now: Date,
  signsFrom: Date,
): Promise<NewSigningKey> {
  const sealed = sealKey(tx.tenantId, dataKey, now, pair);
  const { algorithm } = pair;
  const key: NewSigningKey = { ...sealed, algorithm, createdAt: now, signsFrom };
  await insertSigningKey(tx, key);
  return key;
}
