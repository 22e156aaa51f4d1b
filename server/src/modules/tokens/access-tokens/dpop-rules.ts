import {
  DPOP_ALGORITHMS,
  DPOP_WINDOW_SECONDS,
  MAX_DPOP_CHARACTERS,
} from '@keywright/contract/dpop';
import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import { epochSeconds } from '../../../platform/clock.ts';
import { outsideSignatureIsValid } from '../../../platform/crypto/outside-jws.ts';
import type { SelfSignedTokens } from '../../../platform/crypto/self-signed.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';

/** The request that a proof must be bound to. */
export interface ProofPlace {
  readonly method: string;
  readonly path: string;
  /** The origins of the service for this tenant. */
  readonly origins: readonly string[];
  /** The token of the request; undefined where tokens are issued. */
  readonly accessToken: string | undefined;
  readonly now: Date;
}

/** A genuine proof for this request whose nonce and reuse have not been checked yet. */
export interface ReadProof {
  /** SHA-256 thumbprint of the proof's key (RFC 7638). */
  readonly jkt: string;
  readonly jti: string;
  readonly nonce: string | undefined;
  /** When the proof has expired on every node. */
  readonly endsAt: Date;
}

const MAX_JTI = 256;
const MAX_HTU = 2048;
/** A URL parser would drop or change other characters, so different strings would parse to the same URL. */
const HTU = /^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i;

/**
 * Checks a proof, except for its nonce and its reuse (RFC 9449 §4.3). The signature is checked last because it costs
 * the most.
 * @returns the flaw of a rejected proof, for the log only
 */
export function readProof(
  tokens: Pick<SelfSignedTokens, 'parse'>,
  jwt: string,
  place: ProofPlace,
): ReadProof | { readonly flaw: string } {
  if (jwt.length > MAX_DPOP_CHARACTERS) return { flaw: 'too long' };
  const parsed = tokens.parse(jwt);
  if (!parsed) return { flaw: 'malformed' };
  const { token, key, thumbprint } = parsed;
  if (token.typ !== 'dpop+jwt') return { flaw: 'typ' };
  if (!DPOP_ALGORITHMS.some((one) => one === token.alg)) return { flaw: 'alg' };
  const { jti, nonce, iat } = token.claims;
  const flaw = flawOfClaims(token.claims, place);
  if (flaw !== undefined) return { flaw };
  if (!outsideSignatureIsValid(token, key)) return { flaw: 'signature' };
  return {
    jkt: thumbprint,
    jti: String(jti),
    nonce: typeof nonce === 'string' ? nonce : undefined,
    endsAt: new Date((Number(iat) + DPOP_WINDOW_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000),
  };
}

type Claims = Readonly<Record<string, unknown>>;

function flawOfClaims(
  { jti, htm, htu, iat, exp, ath, nonce }: Claims,
  { method, accessToken, now, ...address }: ProofPlace,
): string | undefined {
  const seconds = epochSeconds(now);
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI) return 'jti';
  if (htm !== method) return 'htm';
  if (!isAddressOf(htu, address)) return 'htu';
  if (typeof iat !== 'number' || Math.abs(seconds - iat) > DPOP_WINDOW_SECONDS) return 'iat';
  if (typeof exp === 'number' && exp + CLOCK_SKEW_SECONDS <= seconds) return 'exp';
  if (nonce !== undefined && typeof nonce !== 'string') return 'nonce';
  if (accessToken !== undefined && ath !== sha256(accessToken).toString('base64url')) return 'ath';
  return undefined;
}

/** Ignores query and fragment (RFC 9449 §4.3), and treats different spellings of a URL as equal (RFC 3986 §6.2). */
function isAddressOf(
  htu: unknown,
  { origins, path }: Pick<ProofPlace, 'origins' | 'path'>,
): boolean {
  if (typeof htu !== 'string' || htu.length > MAX_HTU || !HTU.test(htu)) return false;
  if (!URL.canParse(htu)) return false;
  const { origin, pathname, username, password } = new URL(htu);
  return username === '' && password === '' && pathname === path && origins.includes(origin);
}
