import type { TenantId } from '@keywright/contract/ids';
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

/** Of all published keys of a tenant: first those of its own tokens, the newest first. */
export type FindKeySet = (tenantId: TenantId) => Promise<KeySet>;

/** Text kept beside the list that it was made of, which is replaced when anything changes. */
interface Kept {
  readonly own: readonly PublishedKey[];
  readonly keySet: KeySet;
}

export function createFindKeySet(ring: KeyRing, others: ApplicationKeys): FindKeySet {
  const kept = new WeakMap<object, Kept>();
  return async (tenantId) => {
    const [own, applications] = await Promise.all([
      ring.published(tenantId),
      others.published(tenantId),
    ]);
    const known = kept.get(applications);
    if (known?.own === own) return known.keySet;
    const keySet = keySetOf([
      ...own.map((key) => ({ ...ed25519Jwk(key.publicKey), kid: key.kid, alg: 'EdDSA' as const })),
      ...applications.map((key) => ({ ...jwkOf(key.publicKey), kid: key.kid, alg: key.algorithm })),
    ]);
    kept.set(applications, { own, keySet });
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
