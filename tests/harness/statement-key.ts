import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

export type StatementAlgorithm = 'EdDSA' | 'ES256' | 'RS256' | 'PS256';

/** A key with which an external party signs assertions, using another implementation. */
export interface StatementKey {
  readonly kid: string;
  /** The key as published. */
  readonly publicJwk: JWK & { readonly kid: string };
  readonly privateJwk: JWK;
  /** @param header replaces or extends the usual one */
  readonly sign: (claims: object, header?: Partial<JWTHeaderParameters>) => Promise<string>;
}

let made = 0;

export async function newStatementKey(alg: StatementAlgorithm = 'EdDSA'): Promise<StatementKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  made += 1;
  const kid = `statement-key-${made}`;
  return {
    kid,
    publicJwk: { ...(await exportJWK(publicKey)), kid },
    privateJwk: await exportJWK(privateKey),
    sign: (claims, header = {}) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
        .sign(privateKey),
  };
}
