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

/** A token whose header contains the public key that verifies it, such as a proof of possession (RFC 9449 §4.2). */
interface SelfSignedToken {
  readonly token: OutsideToken;
  readonly key: OutsideKey;
  /** SHA-256 thumbprint of the key (RFC 7638). */
  readonly thumbprint: string;
}

interface Header extends OutsideHeader, Pick<SelfSignedToken, 'key' | 'thumbprint'> {}

/** Maximum number of cached headers. A client repeats its header, so the key is parsed and hashed only once. */
const MAX_HEADERS = 1000;
/** Longer headers are not cached. No header with an elliptic curve key needs to be this long. */
const MAX_REMEMBERED_CHARACTERS = 512;

export class SelfSignedTokens {
  readonly #headers = new Cache<string, Header>(MAX_HEADERS);

  /** Parses a self-signed token without verifying it. @returns undefined for any other input */
  parse(token: string): SelfSignedToken | undefined {
    const parsed = parseWith(token, (text) => this.#headerOf(text));
    if (!parsed) return undefined;
    const { token: parts, header } = parsed;
    return { token: parts, key: header.key, thumbprint: header.thumbprint };
  }

  #headerOf(text: string): Header | undefined {
    const cached = this.#headers.get(text);
    if (cached) return cached;
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

/** Returns the thumbprint of a key (RFC 7638 §3), regardless of how its members were encoded. */
function thumbprintOf(key: KeyObject): string {
  const { crv, kty, n, e, x, y } = key.export({ format: 'jwk' });
  // Members in lexicographic order. Each key type has its own members.
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
