import { createHash } from 'node:crypto';
import { prepared, type Prepared } from '../../tenancy/prepared.ts';
import type { OkOf } from '@keywright/contract/route';
import type { getKeySet } from '@keywright/contract/routes/key-set';

/** A key set as it is sent (RFC 7517, RFC 8037), and its tag. */
export interface KeySet {
  readonly answer: Prepared<OkOf<typeof getKeySet>>;
  readonly etag: string;
}

export function keySetOf(
  keys: readonly { readonly id: string; readonly publicKey: string }[],
): KeySet {
  const answer = prepared<OkOf<typeof getKeySet>>({
    keys: keys.map(({ id, publicKey }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: publicKey,
      kid: id,
      alg: 'EdDSA',
      use: 'sig',
    })),
  });
  const etag = `"${createHash('sha256').update(answer.text).digest('base64url')}"`;
  return { answer, etag };
}
