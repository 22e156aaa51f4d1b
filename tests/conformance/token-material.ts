import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import type { PrivateKey } from '@keywright/server/platform/crypto/jws';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { readSigningKey } from './token-forge.ts';
import type { Material } from './token-forgeries.ts';

/**
 * Material for forgeries: a user of a tenant, and the keys of that tenant and of another one.
 * @param now in seconds
 * @param tenant default the default tenant
 */
export async function gatherMaterial(
  keywright: Keywright,
  masterKey: string,
  now: number,
  tenant: TestTenant = keywright.home,
): Promise<Material> {
  const { token, refreshToken } = await tenant.createUser();
  const elsewhere = await keywright.tenant('elsewhere');
  const keyOf = (id: TenantId) => readSigningKey(keywright.database.url, masterKey, id);
  const { kid, privateKey } = await keyOf(tenant.id);
  const other = await keyOf(elsewhere.id);
  return {
    genuine: token,
    claims: claimsOf(token),
    refreshToken,
    kid,
    key: keyObject(privateKey),
    publicKey: createPublicKey(keyObject(privateKey)),
    other: {
      kid: other.kid,
      privateKey: keyObject(other.privateKey),
      token: (await elsewhere.createUser()).token,
    },
    now,
  };
}

/** A key of the service for Node.js, to sign what the service never would. */
function keyObject(privateKey: PrivateKey): KeyObject {
  const jwk = privateKey.use((bytes) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    d: bytes.toString('base64url', 0, 32),
    x: bytes.toString('base64url', 32),
  }));
  return createPrivateKey({ key: jwk, format: 'jwk' });
}
