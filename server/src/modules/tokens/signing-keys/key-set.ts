import { createHash } from 'node:crypto';
import { Prepared } from '../../../tenancy/prepared.ts';
import type { OkOf } from '@keywright/contract/route';
import type { getKeySet } from '@keywright/contract/routes/key-set';

type Body = OkOf<typeof getKeySet>;

/** A key set as it is sent (RFC 7517, RFC 8037), and its tag. */
export class KeySet extends Prepared<Body> {
  readonly etag: string;

  /** @param body every field of it is sent: the serializer, which leaves out what is not declared, is not asked */
  constructor(body: Body) {
    super(JSON.stringify(body));
    this.etag = `"${createHash('sha256').update(this.text).digest('base64url')}"`;
  }
}

export function keySetOf(
  keys: readonly { readonly kid: string; readonly publicKey: string }[],
): KeySet {
  return new KeySet({
    keys: keys.map(({ kid, publicKey }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: publicKey,
      kid,
      alg: 'EdDSA',
      use: 'sig',
    })),
  });
}
