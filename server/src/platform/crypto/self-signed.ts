import { createHash, type KeyObject } from 'node:crypto';
import { Cache } from '../cache/cache.ts';
import {
  type OutsideHeader,
  type OutsideKey,
  type OutsideToken,
  parseWith,
  readOutsideHeader,
  readPublicJwk,
} from './outside-jws.ts';

/** A token whose header has the public key that verifies it, as proofs of possession have (RFC 9449 §4.2). */
interface SelfSignedToken {
  readonly token: OutsideToken;
  readonly key: OutsideKey;
  /** Of the key: SHA-256, RFC 7638. */
  readonly thumbprint: string;
}

interface Header extends OutsideHeader, Pick<SelfSignedToken, 'key' | 'thumbprint'> {}

/** Headers of clients: each repeats its own, with its key, which is read and named once. */
const MAX_HEADERS = 1000;
/** Longer than any with a key on an elliptic curve needs to be. */
const MAX_REMEMBERED_CHARACTERS = 512;

export class SelfSignedTokens {
  readonly #headers = new Cache<string, Header>(MAX_HEADERS);

  /** Parses a self-signed token, without verifying it. @returns undefined for anything else */
  parse(token: string): SelfSignedToken | undefined {
    const parsed = parseWith(token, (text) => this.#headerOf(text));
    if (!parsed) return undefined;
    const { token: parts, header } = parsed;
    return { token: parts, key: header.key, thumbprint: header.thumbprint };
  }

  #headerOf(text: string): Header | undefined {
    const known = this.#headers.get(text);
    if (known) return known;
    const header = readHeader(text);
    if (header && text.length <= MAX_REMEMBERED_CHARACTERS) this.#headers.set(text, header);
    return header;
  }
}

function readHeader(text: string): Header | undefined {
  const header = readOutsideHeader(text, ['jwk']);
  const jwk = header?.fields['jwk'];
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return undefined;
  const key = readPublicJwk(jwk as Record<string, unknown>);
  return header && key && { ...header, key, thumbprint: thumbprintOf(key.key) };
}

/** RFC 7638 §3: of the key, and not of how its members were spelled. */
function thumbprintOf(key: KeyObject): string {
  const { crv, kty, n, e, x, y } = key.export({ format: 'jwk' });
  // Members in the order of their names; each type of key has its own.
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
