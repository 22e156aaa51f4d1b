import { randomBytes } from 'node:crypto';
import { type AccessTokenClaims, TOKEN_TYP } from '@keywright/contract/claims';
import { newSigningKeyId } from '@keywright/server/platform/crypto/ids';
import {
  importPrivateKey,
  newSignatureKey,
  signToken,
} from '@keywright/server/platform/crypto/jws';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';

/** The age of an old key: older than the signing key, but tokens signed so long ago are still valid. */
const HOUR_MS = 60 * 60 * 1000;

/** A published key of a tenant, with its private key. */
export interface PublishedKey {
  readonly kid: string;
  sign(kid: string, claims: AccessTokenClaims): string;
}

/** Publishes an old key of a tenant with a known private key. Another key remains the signing key. */
export async function publishKey(
  keywright: Keywright,
  tenant: TestTenant,
  kid: string = newSigningKeyId(new Date(0)),
): Promise<PublishedKey> {
  const pair = newSignatureKey();
  const privateKey = importPrivateKey(pair.privateKey);
  const signedFrom = new Date(Date.now() - HOUR_MS);
  await keywright.database.query(
    `INSERT INTO signing_keys (tenant_id, id, algorithm, public_key, private_key, created_at, signs_from)
     VALUES ($1, $2, 'EdDSA', $3, $4, $5, $5)`,
    [tenant.id, kid, pair.publicKey, randomBytes(64), signedFrom],
  );
  return {
    kid,
    sign: (name, claims) => signToken({ kid: name, privateKey }, TOKEN_TYP.access, claims),
  };
}
