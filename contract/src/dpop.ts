/** Algorithms of DPoP proofs (RFC 9449 §5.1). RFC 9864 calls EdDSA with that curve Ed25519. */
export const DPOP_ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256'] as const;

/** How far the `iat` of a proof may be from now, in either direction. */
export const DPOP_WINDOW_SECONDS = 60;

/** Far above any proof with a key of these algorithms. */
export const MAX_DPOP_CHARACTERS = 4096;

/** What is wrong with the use of an access token, as `error` of a challenge (RFC 9449 §7.1, §9; RFC 6750 §3.1). */
export type DpopError = 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce';

/** The algorithms as a parameter of a challenge. */
export const DPOP_ALGS = `algs="${DPOP_ALGORITHMS.join(' ')}"`;

/** The value of WWW-Authenticate for a token that needs a proof, or whose proof is not accepted (RFC 9449 §7.1). */
export function dpopChallenge(error: DpopError): string {
  return `DPoP error="${error}", ${DPOP_ALGS}`;
}
