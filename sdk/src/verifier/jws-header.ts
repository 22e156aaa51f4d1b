/** The one signature algorithm of the service: Ed25519 (RFC 8037). */
export const ALGORITHM = 'EdDSA';
/** How far two clocks may be apart. */
export const CLOCK_SKEW_SECONDS = 10;
/** Header fields that would name a key or a rule of the sender's choosing (RFC 8725 §3.10; RFC 7515 §4.1.11). */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip'];

/** The `kid` of a header that the service could have made for this kind of token; nothing for any other. */
export function kidOf(header: object, typ: string): string | undefined {
  const fields = header as Readonly<Record<string, unknown>>;
  const isPlain = !REFUSED_HEADERS.some((name) => Object.hasOwn(fields, name));
  const { alg, kid } = fields;
  const isOurs = isPlain && alg === ALGORITHM && fields['typ'] === typ;
  return isOurs && typeof kid === 'string' ? kid : undefined;
}
