import type { OkOf } from '@keywright/contract/route';
import type { getKeySet } from '@keywright/contract/routes/key-set';
import { Cacheable } from '../../../platform/http/replies.ts';
import { KEY_SET_MAX_AGE_SECONDS } from './rules.ts';

/** A key set as it is sent (RFC 7517, RFC 8037). */
export type KeySet = Cacheable<OkOf<typeof getKeySet>>;

export function keySetOf(
  published: readonly { readonly kid: string; readonly publicKey: string }[],
): KeySet {
  const keys = published.map(({ kid, publicKey }) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    kid,
    alg: 'EdDSA',
    use: 'sig',
  }));
  return new Cacheable(JSON.stringify({ keys }), KEY_SET_MAX_AGE_SECONDS);
}
