import type { TenantId } from '@keywright/contract/ids';
import { newSigningKeyId } from '../../platform/crypto/ids.ts';
import { seal } from '../../platform/crypto/sealed.ts';
import { newSignatureKey } from '../../platform/crypto/signature-key.ts';
import type { SystemTx } from '../../tenancy/system.ts';
import { sealedPlace } from './key-ring.ts';
import { insertSigningKey } from './store.ts';

/** Gives a new tenant its first signing key, sealed under its data key. */
export async function createSigningKey(
  tx: SystemTx,
  tenantId: TenantId,
  dataKey: Buffer,
  now: Date,
): Promise<void> {
  const id = newSigningKeyId(now);
  const { publicKey, privateKey } = newSignatureKey();
  await insertSigningKey(tx, tenantId, {
    id,
    publicKey,
    privateKey: seal(dataKey, privateKey, sealedPlace(tenantId, id)),
    createdAt: now,
  });
}
