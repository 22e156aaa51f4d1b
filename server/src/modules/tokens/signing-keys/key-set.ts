import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { OkOf } from '@keywright/contract/route';
import type { getKeySet } from '@keywright/contract/routes/key-set';
import { jwkOf } from '../../../platform/crypto/openssl-key.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { ApplicationKeys } from './application-keys.ts';
import type { KeyRing } from './key-ring.ts';
import type { PublishedKey } from './published.ts';
import { KEY_SET_MAX_AGE_SECONDS } from './rules.ts';

/** A key set as it is sent (RFC 7517, RFC 8037). */
type KeySet = Cacheable<OkOf<typeof getKeySet>>;

/**
 * The published keys of a tenant: first those that sign its own tokens, the newest first.
 * @param algorithm only keys of this algorithm; default: all keys
 */
export type FindKeySet = (tenantId: TenantId, algorithm?: KeyAlgorithm) => Promise<KeySet>;

/** Texts cached with the list that they were made from, which is replaced when anything changes. */
interface Kept {
  readonly own: readonly PublishedKey[];
  /** By algorithm; undefined: all keys. */
  readonly keySets: Map<KeyAlgorithm | undefined, KeySet>;
}

export function createFindKeySet(ring: KeyRing, others: ApplicationKeys): FindKeySet {
  const kept = new WeakMap<object, Kept>();
  return async (tenantId, algorithm) => {
    const [own, applications] = await Promise.all([
      ring.published(tenantId),
      others.published(tenantId),
    ]);
    const present = kept.get(applications);
    const keySets: Kept['keySets'] = present?.own === own ? present.keySets : new Map();
    const known = keySets.get(algorithm);
    if (known) return known;
    const isOf = (one: KeyAlgorithm) => algorithm === undefined || algorithm === one;
    const keySet = keySetOf([
      ...own
        .filter(() => isOf('EdDSA'))
        .map((key) => Object.assign(ed25519Jwk(key.publicKey), { kid: key.kid, alg: 'EdDSA' })),
      ...applications
        .filter((key) => isOf(key.algorithm))
        .map((key) => Object.assign(jwkOf(key.publicKey), { kid: key.kid, alg: key.algorithm })),
    ]);
    keySets.set(algorithm, keySet);
    kept.set(applications, { own, keySets });
    return keySet;
  };
}

function ed25519Jwk(publicKey: string) {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey };
}

function keySetOf(keys: readonly object[]): KeySet {
  const all = keys.map((key) => ({ ...key, use: 'sig' }));
  return new Cacheable(JSON.stringify({ keys: all }), KEY_SET_MAX_AGE_SECONDS);
}
