/** The only signature algorithm of the service: Ed25519 (RFC 8037). */
export const ALGORITHM = 'EdDSA';
/** The tolerated clock skew. */
export const CLOCK_SKEW_SECONDS = 10;
/** Header fields with which the sender could choose a key or a rule (RFC 8725 §3.10; RFC 7515 §4.1.11). */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip'];

/** The `kid` of a header that the service could have issued for this kind of token; otherwise undefined. */
export function kidOf(header: object, typ: string): string | undefined {
  const fields = header as Readonly<Record<string, unknown>>;
  const isPlain = !REFUSED_HEADERS.some((name) => Object.hasOwn(fields, name));
  const { alg, kid } = fields;
  const isOurs = isPlain && alg === ALGORITHM && fields['typ'] === typ;
  return isOurs && typeof kid === 'string' ? kid : undefined;
}
