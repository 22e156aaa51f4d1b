import type { TenantTx } from '../../../tenancy/gate.ts';
import { type SigningPeriod, signingPeriod } from './rules.ts';
import { listSigningKeys } from './store.ts';

/** The public half of a key that signs or signed, and when it did. */
export interface SignedWith extends SigningPeriod {
  readonly publicKey: string;
}

/**
 * Any key that the tenant ever had, deleted ones included. They are for recognising what is used a second time, and
 * never for letting anybody in: that takes a published one.
 */
export async function findSignedWith(tx: TenantTx, kid: string): Promise<SignedWith | undefined> {
  const keys = await listSigningKeys(tx);
  const key = keys.find((one) => one.id === kid);
  return key && { publicKey: key.public_key, ...signingPeriod(keys, key) };
}
