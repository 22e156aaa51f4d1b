// Keys of clients, and DPoP proofs with them (RFC 9449).

import { createHash, randomUUID } from 'node:crypto';
import { API_BASE } from '@keywright/contract/route';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const TOKEN_ENDPOINT = `https://id.example.com${API_BASE}/auth/token`;

interface ProofOptions {
  /** The request's method and URL; default: the token endpoint. */
  readonly htm?: string;
  readonly htu?: string;
  /** Adds `ath` of it. */
  readonly accessToken?: string;
  /** Replaces or extends the usual claims. Undefined claims are omitted. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

export interface DpopKey {
  readonly jkt: string;
  readonly jwk: JWK;
  readonly privateJwk: JWK;
  /** A new proof, as the header DPoP. */
  prove(options?: ProofOptions): Promise<string>;
}

/** @param now of the service */
export async function newDpopKey(now = () => new Date(), alg = 'ES256'): Promise<DpopKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    jkt: await calculateJwkThumbprint(jwk),
    jwk,
    privateJwk: await exportJWK(privateKey),
    prove({ htm = 'POST', htu = TOKEN_ENDPOINT, accessToken, claims = {}, header = {} } = {}) {
      const usual = {
        jti: randomUUID(),
        htm,
        htu,
        iat: Math.floor(now().getTime() / 1000),
        ...(accessToken !== undefined && { ath: sha256(accessToken) }),
      };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header })
        .sign(privateKey);
    },
  };
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
