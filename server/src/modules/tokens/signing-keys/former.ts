import type { TenantTx } from '../../../tenancy/gate.ts';
import { type SigningPeriod, signingPeriod } from './rules.ts';
import { listSigningKeys } from './store.ts';

/** The public half of a key that signs or signed, and when it did. */
export interface SignedWith extends SigningPeriod {
  readonly publicKey: string;
}

/**
 * Any key of EdDSA that the tenant ever had, including deleted ones. For recognising reuse only, never for authentication, which
 * requires a published key.
 */
export async function findSignedWith(tx: TenantTx, kid: string): Promise<SignedWith | undefined> {
  const keys = (await listSigningKeys(tx)).filter(({ algorithm }) => algorithm === 'EdDSA');
  const key = keys.find((one) => one.id === kid);
  return key && { publicKey: key.public_key, ...signingPeriod(keys, key) };
}
