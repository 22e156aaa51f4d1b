/** The algorithms of DPoP proofs (RFC 9449 §5.1). RFC 9864 names EdDSA with Curve25519 `Ed25519`. */
export const DPOP_ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256'] as const;

/** The maximum distance of a proof's `iat` from now in either direction, in seconds. */
export const DPOP_WINDOW_SECONDS = 60;

/** Far larger than any proof with a key of these algorithms. */
export const MAX_DPOP_CHARACTERS = 4096;

/** The `error` in a challenge for an access token (RFC 9449 §7.1, §9; RFC 6750 §3.1). */
export type DpopError = 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce';

/** The algorithms as a challenge parameter. */
export const DPOP_ALGS = `algs="${DPOP_ALGORITHMS.join(' ')}"`;

/** Returns the WWW-Authenticate value for a missing or rejected proof (RFC 9449 §7.1). */
export function dpopChallenge(error: DpopError): string {
  return `DPoP error="${error}", ${DPOP_ALGS}`;
}
