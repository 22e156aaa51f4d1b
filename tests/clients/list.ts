import type { BUILDS } from './toolchains.ts';

/** A library, by a program in a folder of `libraries` that uses it. */
export interface Library {
  readonly folder: string;
  readonly name: string;
  readonly language: keyof typeof BUILDS;
  /** The package pinned by the folder's manifest, if its name differs. */
  readonly artifact?: string;
}

/** Libraries that verify our tokens. */
export const VERIFYING: readonly Library[] = [
  { folder: 'jsonwebtoken', name: 'jsonwebtoken', language: 'Rust' },
  { folder: 'nimbus', name: 'Nimbus JOSE+JWT', language: 'Java', artifact: 'nimbus-jose-jwt' },
  {
    folder: 'spring-security',
    name: 'Spring Security',
    language: 'Java',
    artifact: 'spring-security-oauth2-jose',
  },
  { folder: 'jjwt', name: 'JJWT', language: 'Java', artifact: 'jjwt-api' },
  { folder: 'jose4j', name: 'jose4j', language: 'Java' },
  { folder: 'go-jose', name: 'go-jose', language: 'Go', artifact: 'go-jose/v4' },
  { folder: 'golang-jwt', name: 'golang-jwt', language: 'Go', artifact: 'golang-jwt/jwt/v5' },
  { folder: 'go-oidc', name: 'go-oidc', language: 'Go', artifact: 'go-oidc/v3' },
  { folder: 'jose', name: 'jose', language: 'JavaScript' },
  { folder: 'fast-jwt', name: 'fast-jwt', language: 'JavaScript' },
  { folder: 'pyjwt', name: 'PyJWT', language: 'Python', artifact: 'PyJWT[crypto]' },
  { folder: 'joserfc', name: 'joserfc', language: 'Python' },
  { folder: 'crypt-jwt', name: 'Crypt::JWT', language: 'Perl' },
];

/** Libraries without EdDSA. */
export const UNABLE: readonly Library[] = [
  { folder: 'node-jsonwebtoken', name: 'jsonwebtoken', language: 'JavaScript' },
  { folder: 'python-jose', name: 'python-jose', language: 'Python' },
  { folder: 'java-jwt', name: 'java-jwt', language: 'Java' },
];
