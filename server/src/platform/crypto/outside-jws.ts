import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  type PublicKey,
  decodeBase64url,
  importPublicKey,
  parseJsonObject,
  verify as verifyEd25519,
} from './jws.ts';

/** A parsed token of another issuer, whose signature has not been verified. */
export interface OutsideToken {
  readonly alg: Algorithm;
  readonly kid: string | undefined;
  /** Lowercase; `jwt` if the header has none. */
  readonly typ: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signingInput: string;
  readonly signature: Buffer;
}

/** A public key of another issuer. */
export interface OutsideKey {
  readonly kid: string | undefined;
  readonly algorithms: readonly Algorithm[];
  readonly key: KeyObject;
}

type Check = (input: Buffer, key: KeyObject, signature: Buffer) => boolean;

/** Verifiers of asymmetric signatures only: neither `none` nor a MAC is accepted (RFC 8725 §3.1). */
const CHECKS = {
  EdDSA: (input, key, signature) => verifyEd25519(input, signature, rawPublicKey(key)),
  ES256: (input, key, signature) =>
    verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature),
  RS256: (input, key, signature) =>
    verify('sha256', input, { key, padding: constants.RSA_PKCS1_PADDING }, signature),
  PS256: (input, key, signature) =>
    verify(
      'sha256',
      input,
      { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
      signature,
    ),
} as const satisfies Record<string, Check>;

type Algorithm = keyof typeof CHECKS;

/** Header fields that would supply a key, or change what is signed (RFC 8725 §3.10; RFC 7515 §4.1.11; RFC 7797). */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'crit', 'b64', 'zip'];

/** The fields of a token's header. */
export interface OutsideHeader extends Pick<OutsideToken, 'alg' | 'kid' | 'typ'> {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parses a compact JWS. @returns undefined unless its algorithm is supported */
export function parseOutsideToken(token: string): OutsideToken | undefined {
  return parseWith(token, (text) => readOutsideHeader(text))?.token;
}

/** Parses a compact JWS with another header reader. */
export function parseWith<Header extends OutsideHeader>(
  token: string,
  readHeader: (text: string) => Header | undefined,
): { readonly token: OutsideToken; readonly header: Header } | undefined {
  const [first, payload, last, ...rest] = token.split('.');
  if (!first || !payload || !last || rest.length > 0) return undefined;
  const header = readHeader(first);
  const claims = parseJsonObject(payload);
  const signature = decodeBase64url(last);
  if (!header || !claims || !signature) return undefined;
  const { alg, kid, typ } = header;
  const signingInput = `${first}.${payload}`;
  return { token: { alg, kid, typ, claims, signingInput, signature }, header };
}

/** Reads the header of a token. @param allowed fields that are otherwise rejected */
export function readOutsideHeader(
  text: string,
  allowed: readonly string[] = [],
): OutsideHeader | undefined {
  const fields = parseJsonObject(text);
  if (!fields) return undefined;
  const { kid, typ = 'jwt' } = fields;
  const alg = readAlgorithm(fields['alg']);
  if (!alg || typeof typ !== 'string') return undefined;
  if (kid !== undefined && typeof kid !== 'string') return undefined;
  const isRefused = (name: string) => !allowed.includes(name) && Object.hasOwn(fields, name);
  if (REFUSED_HEADERS.some(isRefused)) return undefined;
  return { alg, kid, typ: typ.toLowerCase(), fields };
}

function readAlgorithm(name: unknown): Algorithm | undefined {
  // RFC 9864 §2.2: an alias.
  if (name === 'Ed25519') return 'EdDSA';
  return typeof name === 'string' && Object.hasOwn(CHECKS, name) ? (name as Algorithm) : undefined;
}

/** Returns the only key with the token's algorithm and, if the token has one, its `kid`. */
export function keyOf(token: OutsideToken, keys: readonly OutsideKey[]): OutsideKey | undefined {
  const fitting = keys.filter(
    ({ kid, algorithms }) =>
      algorithms.includes(token.alg) && (token.kid === undefined || token.kid === kid),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether this key signed the token, with an algorithm of the key's type. */
export function outsideSignatureIsValid(
  { alg, signingInput, signature }: OutsideToken,
  { algorithms, key }: OutsideKey,
): boolean {
  return algorithms.includes(alg) && CHECKS[alg](Buffer.from(signingInput), key, signature);
}

function rawPublicKey(key: KeyObject): PublicKey {
  return importPublicKey(String(key.export({ format: 'jwk' }).x));
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const RSA_BITS = { min: 2048, max: 4096 };
/** With an exponent of 1 any signature verifies, and a long exponent makes each verification expensive. */
const MAX_RSA_EXPONENT = 2n ** 32n;

/**
 * Parses a public JWK (RFC 7517) for signatures: Ed25519, P-256, or RSA of 2048 to 4096 bits.
 * @returns undefined for other keys, private keys and keys that are not for signatures
 */
export function readPublicJwk(jwk: Readonly<Record<string, unknown>>): OutsideKey | undefined {
  if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))) return undefined;
  const { kid, alg, use } = jwk;
  if (kid !== undefined && typeof kid !== 'string') return undefined;
  if (use !== undefined && use !== 'sig') return undefined;
  const key = importPublic(jwk);
  const possible = key ? algorithmsOf(key) : [];
  const algorithms =
    alg === undefined ? possible : possible.filter((algorithm) => algorithm === readAlgorithm(alg));
  return key && algorithms.length > 0 ? { kid, algorithms, key } : undefined;
}

function importPublic({ kty, crv, x, y, n, e }: Readonly<Record<string, unknown>>) {
  const members = Object.entries({ kty, crv, x, y, n, e }).filter(
    ([, value]) => value !== undefined,
  );
  if (members.some(([, value]) => typeof value !== 'string')) return undefined;
  try {
    return createPublicKey({ key: Object.fromEntries(members), format: 'jwk' });
  } catch {
    return undefined;
  }
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): Algorithm[] {
  if (asymmetricKeyType === 'ed25519') return ['EdDSA'];
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails;
  if (asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? ['ES256'] : [];
  const isGood =
    modulusLength >= RSA_BITS.min &&
    modulusLength <= RSA_BITS.max &&
    publicExponent >= 3n &&
    publicExponent < MAX_RSA_EXPONENT;
  return asymmetricKeyType === 'rsa' && isGood ? ['RS256', 'PS256'] : [];
}
