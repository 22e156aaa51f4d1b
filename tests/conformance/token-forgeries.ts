import type { KeyObject } from 'node:crypto';
import type { AccessTokenClaims } from '@keywright/contract/claims';
import { claimsOf } from '../harness/token.ts';
import {
  attacker,
  base64url,
  respelled,
  shiftedSignature,
  signed,
  signedWithPublicKey,
  withClaims,
  withPart,
} from './token-forge.ts';

/** The keys and tokens that an attacker can have, and those that only the service has. */
export interface Material {
  /** A token of an active session. */
  readonly genuine: string;
  readonly claims: AccessTokenClaims;
  readonly refreshToken: string;
  /** The tenant's own key: for tokens that only the service could issue, but never does. */
  readonly key: KeyObject;
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** Another tenant, with the token of a user of it. */
  readonly other: {
    readonly kid: string;
    readonly privateKey: KeyObject;
    readonly token: string;
  };
  /** In seconds. */
  readonly now: number;
}

export type Forge = (material: Material) => string;

const NOBODYS_SESSION = 'session:01jd0000000000000000000000';

const headerOf = (kid: string, extra: object = {}) => ({
  alg: 'EdDSA',
  typ: 'at+jwt',
  kid,
  ...extra,
});
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' });

/** Signed by the service's own key, with one invalid header parameter. */
const withHeader =
  (extra: object): Forge =>
  ({ key, kid, claims }) =>
    signed(key, headerOf(kid, extra), claims);
/** Signed by the service's own key, with claims that it never issues. */
export const claiming =
  (change: (material: Material) => object): Forge =>
  (material) =>
    signed(material.key, headerOf(material.kid), { ...material.claims, ...change(material) });
/** Signed by the attacker. */
const byAttacker =
  (extra: object): Forge =>
  ({ kid, claims }) =>
    signed(attacker.privateKey, headerOf(kid, extra), claims);
const unsigned =
  (alg: string): Forge =>
  ({ kid, claims }) =>
    `${base64url(headerOf(kid, { alg }))}.${base64url(claims)}.`;

const ALGORITHMS: Readonly<Record<string, Forge>> = {
  'none, without a signature': unsigned('none'),
  'None, without a signature': unsigned('None'),
  'none, with the signature of another token': ({ genuine, kid }) =>
    withPart(genuine, 0, () => base64url(headerOf(kid, { alg: 'none' }))),
  'EdDSA, without a signature': unsigned('EdDSA'),
  'HS256 over the bytes of the public key': ({ publicKey, kid, claims }) =>
    signedWithPublicKey(Buffer.from(jwkOf(publicKey).x ?? '', 'base64url'), kid, claims),
  'HS256 over its DER': ({ publicKey, kid, claims }) =>
    signedWithPublicKey(publicKey.export({ format: 'der', type: 'spki' }), kid, claims),
  'HS256 over its PEM': ({ publicKey, kid, claims }) =>
    signedWithPublicKey(pemOf(publicKey), kid, claims),
  'HS256 over its JWK': ({ publicKey, kid, claims }) =>
    signedWithPublicKey(JSON.stringify(jwkOf(publicKey)), kid, claims),
  'HS256 over its x': ({ publicKey, kid, claims }) =>
    signedWithPublicKey(jwkOf(publicKey).x ?? '', kid, claims),
  'another name for the right one': withHeader({ alg: 'Ed25519' }),
  'a list': withHeader({ alg: ['EdDSA'] }),
};

const HEADERS: Readonly<Record<string, Forge>> = {
  'jwk of the attacker': byAttacker({ jwk: jwkOf(attacker.publicKey) }),
  'jwk of the attacker, and no kid': byAttacker({ jwk: jwkOf(attacker.publicKey), kid: undefined }),
  'jku of the attacker': byAttacker({ jku: 'https://evil.example.com/jwks.json' }),
  'x5u of the attacker': byAttacker({ x5u: 'https://evil.example.com/cert.pem' }),
  'x5c of the attacker': byAttacker({ x5c: [pemOf(attacker.publicKey)] }),
  'crit of the attacker': byAttacker({ crit: ['exp'] }),
  'jwk in addition to the right key': withHeader({ jwk: jwkOf(attacker.publicKey) }),
  'jku in addition to the right key': withHeader({
    jku: 'https://id.example.com/.well-known/jwks.json',
  }),
  'x5u in addition to the right key': withHeader({ x5u: 'https://id.example.com/cert.pem' }),
  'x5c in addition to the right key': withHeader({ x5c: [] }),
  'x5t in addition to the right key': withHeader({ x5t: 'AAAA' }),
  'crit in addition to the right key': withHeader({ crit: ['exp'], exp: 1 }),
  'an empty crit': withHeader({ crit: [] }),
  'b64 that says the payload is raw': withHeader({ b64: false }),
  'zip that says it is packed': withHeader({ zip: 'DEF' }),
  'the typ of a refresh token': withHeader({ typ: 'rt+jwt' }),
  'the typ of any token': withHeader({ typ: 'JWT' }),
  'no typ': withHeader({ typ: undefined }),
  'an unknown kid': withHeader({ kid: 'key_01jd00000000000000000000' }),
  'a kid that is a path': withHeader({ kid: '../../etc/passwd' }),
  'a kid that every object has': withHeader({ kid: '__proto__' }),
  'a kid that is a list': ({ key, kid, claims }) =>
    signed(key, headerOf(kid, { kid: [kid] }), claims),
  'no kid': withHeader({ kid: undefined }),
  "another tenant's kid": ({ key, other, claims }) => signed(key, headerOf(other.kid), claims),
  "another tenant's kid and signature": ({ other, claims }) =>
    signed(other.privateKey, headerOf(other.kid), claims),
  "another tenant's signature": ({ other, kid, claims }) =>
    signed(other.privateKey, headerOf(kid), claims),
};

const SIGNATURES: Readonly<Record<string, Forge>> = {
  'none at all': ({ genuine }) => withPart(genuine, 2, () => ''),
  'of zeros': ({ genuine }) => withPart(genuine, 2, () => Buffer.alloc(64).toString('base64url')),
  'a character short': ({ genuine }) => genuine.slice(0, -1),
  'a byte short': ({ genuine }) =>
    withPart(genuine, 2, (part) =>
      Buffer.from(part, 'base64url').subarray(0, 63).toString('base64url'),
    ),
  'a byte long': ({ genuine }) =>
    withPart(genuine, 2, (part) =>
      Buffer.concat([Buffer.from(part, 'base64url'), Buffer.of(0)]).toString('base64url'),
    ),
  padded: ({ genuine }) => `${genuine}==`,
  'with more padding': ({ genuine }) => `${genuine}====`,
  'spelled with other bits at its end': ({ genuine }) => withPart(genuine, 2, respelled),
  'with S + L for S': ({ genuine }) => withPart(genuine, 2, shiftedSignature),
  'of another payload': ({ genuine }) => withClaims(genuine, { roles: ['system_admin'] }),
  'of another subject': ({ genuine }) =>
    withClaims(genuine, { sub: 'user:01jd0000000000000000000000' }),
  'of another expiry': ({ genuine, claims }) => withClaims(genuine, { exp: claims.exp + 1 }),
};

const FORMS: Readonly<Record<string, Forge>> = {
  'no token': () => 'x',
  'dots alone': () => '..',
  'a dot at the start': ({ genuine }) => `.${genuine}`,
  'a dot at the end': ({ genuine }) => `${genuine}.`,
  'two dots in a row': ({ genuine }) => genuine.replace('.', '..'),
  'four parts': ({ genuine }) => `${genuine}.e30`,
  'two parts': ({ genuine }) => genuine.split('.').slice(0, 2).join('.'),
  'five parts, as of a JWE': ({ genuine }) => `${genuine}.e30.e30`,
  'an empty header': ({ genuine }) => withPart(genuine, 0, () => ''),
  'an empty payload': ({ genuine }) => withPart(genuine, 1, () => ''),
  'a header that is no JSON': ({ genuine }) => withPart(genuine, 0, () => base64url('{')),
  'a header that is a list': ({ genuine }) => withPart(genuine, 0, () => base64url([])),
  'a payload that is null': ({ key, kid }) => signed(key, headerOf(kid), 'null'),
  'a payload that is a list': ({ key, kid, claims }) => signed(key, headerOf(kid), [claims]),
  'a payload that is no JSON': ({ key, kid }) => signed(key, headerOf(kid), '{'),
  'characters of plain base64': ({ genuine }) => withPart(genuine, 1, (part) => `${part}+/`),
  'the refresh token of the session': ({ refreshToken }) => refreshToken,
  'the refresh token, called an access token': ({ key, kid, refreshToken }) =>
    signed(key, headerOf(kid), claimsOf(refreshToken)),
};

const CLAIMS: Readonly<Record<string, Forge>> = {
  'exp as text': claiming(({ claims }) => ({ exp: String(claims.exp) })),
  'exp as a fraction': claiming(({ claims }) => ({ exp: claims.exp + 0.5 })),
  'exp as a list': claiming(({ claims }) => ({ exp: [claims.exp] })),
  'exp beyond all numbers': ({ key, kid, claims }) =>
    signed(key, headerOf(kid), JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e999')),
  'no exp': claiming(() => ({ exp: undefined })),
  'exp 10 s ago': claiming(({ now }) => ({ exp: now - 10 })),
  'iat as text': claiming(({ claims }) => ({ iat: String(claims.iat) })),
  'iat 11 s ahead': claiming(({ now }) => ({ iat: now + 11 })),
  'no iat': claiming(() => ({ iat: undefined })),
  'another issuer': claiming(() => ({ iss: 'https://evil.example.com' })),
  'the issuer with a slash': claiming(({ claims }) => ({ iss: `${claims.iss}/` })),
  'no issuer': claiming(() => ({ iss: undefined })),
  'another audience': claiming(() => ({ aud: 'https://evil.example.com' })),
  'a list of audiences': claiming(({ claims }) => ({ aud: [claims.aud, 'evil'] })),
  'no audience': claiming(() => ({ aud: undefined })),
  'no tenant': claiming(() => ({ tenant_id: undefined })),
  'a tenant that is a list': claiming(({ claims }) => ({ tenant_id: [claims.tenant_id] })),
  'no subject': claiming(() => ({ sub: undefined })),
  'no session': claiming(() => ({ sid: undefined })),
  'a session that is not there': claiming(() => ({ sid: NOBODYS_SESSION })),
  'no scopes': claiming(() => ({ scopes: undefined })),
  'scopes as text': claiming(() => ({ scopes: '*:*' })),
  'the token type of a refresh token': claiming(() => ({ token_type: 'refresh' })),
};

/** Valid except for its signer: shows why the others matter. */
export const ACCEPTED: Readonly<Record<string, Forge>> = {
  'the genuine token': ({ genuine }) => genuine,
  'one like it': claiming(() => ({})),
  'one that expired 9 s ago': claiming(({ now }) => ({ exp: now - 9 })),
  'one issued 10 s ahead': claiming(({ now }) => ({ iat: now + 10 })),
};

export const REFRESH_TOKENS: Readonly<Record<string, Forge>> = {
  'the access token': ({ genuine }) => genuine,
  'the access token, called a refresh token': ({ key, kid, claims }) =>
    signed(key, headerOf(kid, { typ: 'rt+jwt' }), claims),
  'the refresh token, called an access token': ({ key, kid, refreshToken }) =>
    signed(key, headerOf(kid), claimsOf(refreshToken)),
  'one of its claims, signed by an attacker': ({ kid, refreshToken }) =>
    signed(attacker.privateKey, headerOf(kid, { typ: 'rt+jwt' }), claimsOf(refreshToken)),
  'one of its claims, not signed': ({ kid, refreshToken }) =>
    `${base64url({ alg: 'none', typ: 'rt+jwt', kid })}.${base64url(claimsOf(refreshToken))}.`,
  'one with a jwk': ({ kid, refreshToken }) =>
    signed(
      attacker.privateKey,
      headerOf(kid, { typ: 'rt+jwt', jwk: jwkOf(attacker.publicKey) }),
      claimsOf(refreshToken),
    ),
  'with another expiry': ({ refreshToken, now }) => withClaims(refreshToken, { exp: now + 1e8 }),
  padded: ({ refreshToken }) => `${refreshToken}==`,
  'with another spelling of its signature': ({ refreshToken }) =>
    withPart(refreshToken, 2, respelled),
  'with S + L for S': ({ refreshToken }) => withPart(refreshToken, 2, shiftedSignature),
  'of a session that is not there': ({ key, kid, refreshToken }) =>
    signed(key, headerOf(kid, { typ: 'rt+jwt' }), {
      ...claimsOf(refreshToken),
      sid: NOBODYS_SESSION,
    }),
};

/** Everything that is not an access token of the service. */
export const FORGERIES = {
  algorithm: ALGORITHMS,
  header: HEADERS,
  signature: SIGNATURES,
  form: FORMS,
  claims: CLAIMS,
};
