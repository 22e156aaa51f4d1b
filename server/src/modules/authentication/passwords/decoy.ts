import { createHmac } from 'node:crypto';
import { decoyOf } from '../../../platform/crypto/foreign-hash.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';

const SCALE = 2 ** 48;

/**
 * The hash to verify for an identifier that has none, so that it takes as long as that of a known one: of each scheme
 * for as many identifiers, relatively, as users have it. Which one is the same each time, and secret.
 * @returns undefined for a hash as this service makes them
 */
export function decoyFor(
  hashes: ForeignHashes | undefined,
  identifier: string,
): string | undefined {
  if (!hashes) return undefined;
  let others = hashes.total;
  for (const scheme of Object.keys(hashes.schemes).toSorted()) {
    const users = hashes.schemes[scheme] ?? 0;
    if (fractionOf(hashes.key, scheme, identifier) < users / others) return decoyOf(scheme);
    others -= users;
  }
  return undefined;
}

/** From 0 to 1, the same for an identifier each time. */
function fractionOf(key: string, scheme: string, identifier: string): number {
  const mac = createHmac('sha256', Buffer.from(key, 'base64'));
  return (
    mac
      .update(JSON.stringify([scheme, identifier]))
      .digest()
      .readUIntBE(0, 6) / SCALE
  );
}
