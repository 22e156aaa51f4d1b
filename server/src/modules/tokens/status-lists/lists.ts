import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import type { Revocations } from './revocations.ts';
import { type ListContent, periodOf, signList, type SignedList } from './signed.ts';
import type { KnownList } from './tenant-status.ts';

/** A signed list of a tenant; undefined when no token names it. */
export type FindSignedList = (tenant: Tenant, list: number) => Promise<SignedList | undefined>;

/**
 * A list is signed again when it is requested and anything has changed in its tenant, or half of its lifetime is over.
 */
export function createFindSignedList(
  revocations: Revocations,
  keys: KeyRing,
  clock: Clock,
): FindSignedList {
  function sign(key: SigningKey, content: ListContent, known: KnownList): SignedList {
    const now = clock.now();
    const { issuer, version, packed } = content;
    const of = `${issuer} ${key.kid} ${version} ${periodOf(now)}`;
    const { signed } = known;
    // Verifiers without a stream poll every second: a repeated request costs neither a signature nor a hash.
    if (signed?.packed === packed && signed.of === of) return signed.list;
    const list = signList(key, content, now);
    known.signed = { list, packed, of };
    return list;
  }

  return async ({ id, issuer }, list) => {
    const status = revocations.of(id);
    const known = await revocations.findList(status, list);
    if (!known) return undefined;
    const key = await keys.signer(id);
    const version = Math.max(known.version, status.version ?? 0);
    return sign(key, { issuer, list, version, packed: known.bits.packed }, known);
  };
}
