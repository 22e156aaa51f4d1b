import { createHash, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import type { BoundRequest, ProvingKey, RequestSource } from './traffic.ts';

interface Proven {
  readonly htm: string;
  readonly htu: string;
  readonly accessToken?: string;
}

/** Returns a function that creates proofs of possession of this key (RFC 9449 §4.2), each one different. */
export function proverOf({ privateKey }: ProvingKey): (of: Proven) => string {
  const key = createPrivateKey(privateKey);
  const { kty, crv, x } = createPublicKey(key).export({ format: 'jwk' });
  const header = encoded({ typ: 'dpop+jwt', alg: 'EdDSA', jwk: { kty, crv, x } });
  return ({ htm, htu, accessToken }) => {
    const iat = Math.floor(Date.now() / 1000);
    const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url');
    const signed = `${header}.${encoded({ jti: randomUUID(), htm, htu, iat, ath })}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
}

/** Each of these requests, repeatedly, with a new proof each time. */
export function provenRequests(requests: readonly BoundRequest[], key: ProvingKey): RequestSource {
  const prove = proverOf(key);
  let at = -1;
  return {
    next() {
      at = (at + 1) % requests.length;
      const { head, ...proven } = requests[at] as BoundRequest;
      return `${head}dpop: ${prove(proven)}\r\n\r\n`;
    },
    learn() {},
  };
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
