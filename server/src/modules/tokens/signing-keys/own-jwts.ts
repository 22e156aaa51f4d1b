import { CLOCK_SKEW_SECONDS, TOKEN_TYP } from '@keywright/contract/claims';
import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { OkOf } from '@keywright/contract/route';
import type { getKeySet } from '@keywright/contract/routes/key-set';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { signToken, unsignedToken } from '../../../platform/crypto/jws.ts';
import { signByOpenssl, verifyByOpenssl, jwkOf } from '../../../platform/crypto/openssl-key.ts';
import { type OutsideToken, parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { importPublicKey, verify } from '../../../platform/crypto/signature-key.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationKeys } from './application-keys.ts';
import type { KeyRing, PublishedKey } from './key-ring.ts';
import { KEY_SET_MAX_AGE_SECONDS } from './key-rules.ts';
import { listSigningKeys } from './signing-keys-store.ts';

/**
 * What applications get, and verify with the key set. It is none of the service's own tokens: an access token is for a
 * resource, which its audience says.
 */
interface ForApplications {
  readonly alg: KeyAlgorithm;
  readonly typ:
    | 'JWT'
    | 'logout+jwt'
    | 'token-introspection+jwt'
    | 'at+jwt'
    | 'oauth-id-jag+jwt'
    | 'secevent+jwt';
  readonly claims: object;
}

/** Signs a JWT with the tenant's key of that algorithm. */
export type SignJwt = (tenantId: TenantId, jwt: ForApplications) => Promise<string>;

export function createSignJwt(ring: KeyRing, others: ApplicationKeys): SignJwt {
  return async (tenantId, { alg, typ, claims }) => {
    if (alg === 'EdDSA') return signToken(await ring.signer(tenantId), typ, claims);
    const { kid, privateKey } = await others.signer(tenantId, alg);
    const input = unsignedToken({ alg, typ, kid }, claims);
    const signature = await signByOpenssl(alg, privateKey, Buffer.from(input));
    return `${input}.${signature.toString('base64url')}`;
  };
}

interface Expected {
  readonly kind: 'ID token' | 'access token';
  /** Whether it may have expired. */
  readonly allowExpired: boolean;
  /** Whether its key may have been superseded so long ago that it is published no more. */
  readonly retiredToo: boolean;
}

/**
 * The claims of a JWT that the tenant signed for an application, such as an ID token that comes back as a hint
 * (OpenID Connect Core §3.1.2.1). A key that an administrator deleted verifies nothing. Whose token it is, and for which
 * client, is for the caller to check. It never authenticates anybody.
 */
export type VerifyOwnJwt = (
  tenant: Tenant,
  jwt: string,
  expected: Expected,
) => Promise<Readonly<Record<string, unknown>> | undefined>;

interface Key {
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: string;
}

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly applicationKeys: ApplicationKeys;
}

export function createVerifyOwnJwt(dependencies: Dependencies): VerifyOwnJwt {
  const { gate, clock } = dependencies;
  return async (tenant, jwt, { kind, allowExpired, retiredToo }) => {
    const token = parseOutsideToken(jwt);
    if (token?.kid === undefined || !isOfKind(token, kind)) return undefined;
    const { kid, claims } = token;
    const key =
      (await findPublished(dependencies, tenant.id, kid)) ??
      (retiredToo ? await findSuperseded(gate, tenant.id, kid) : undefined);
    if (!key || !isSignedWith(key, token) || claims['iss'] !== tenant.issuer) return undefined;
    const { exp } = claims;
    if (typeof exp !== 'number') return undefined;
    const isCurrent = exp + CLOCK_SKEW_SECONDS > epochSeconds(clock.now());
    return isCurrent || allowExpired ? claims : undefined;
  };
}

/**
 * RFC 8725 §3.12: an access token for a resource can have the `typ` of an ID token (`access_token_typ`), but no ID token
 * has the `token_type` of an access token.
 */
function isOfKind({ typ, claims }: OutsideToken, kind: Expected['kind']): boolean {
  const isAccessToken = typ === TOKEN_TYP.access || claims['token_type'] === 'access';
  const isKnown = typ === TOKEN_TYP.access || typ === 'jwt';
  return isKnown && isAccessToken === (kind === 'access token');
}

async function findPublished(
  { keys, applicationKeys }: Dependencies,
  tenantId: TenantId,
  kid: string,
): Promise<Key | undefined> {
  const publicKey = (await keys.published(tenantId)).find((one) => one.kid === kid)?.publicKey;
  if (publicKey !== undefined) return { algorithm: 'EdDSA', publicKey };
  return (await applicationKeys.published(tenantId)).find((one) => one.kid === kid);
}

async function findSuperseded(
  gate: Gate,
  tenantId: TenantId,
  kid: string,
): Promise<Key | undefined> {
  const rows = await gate.into(tenantId).transaction(listSigningKeys);
  const row = rows.find((one) => one.id === kid && one.retired_at === null);
  return row && { algorithm: row.algorithm, publicKey: row.public_key };
}

/** RFC 8725 §3.1: the key says which algorithm it is for, not the token. */
function isSignedWith({ algorithm, publicKey }: Key, token: OutsideToken): boolean {
  const { alg, signature } = token;
  if (alg !== algorithm) return false;
  const input = Buffer.from(token.signingInput);
  return algorithm === 'EdDSA'
    ? verify(input, signature, importPublicKey(publicKey))
    : verifyByOpenssl(algorithm, publicKey, input, signature);
}

/** A key set as it is sent (RFC 7517, RFC 8037). */
type KeySet = Cacheable<OkOf<typeof getKeySet>>;

/**
 * The published keys of a tenant: first those that sign its own tokens, the newest first.
 * @param algorithm only keys of this algorithm; default: all keys
 */
export type FindKeySet = (tenantId: TenantId, algorithm?: KeyAlgorithm) => Promise<KeySet>;

/** Texts cached with the list that they were made from, which is replaced when anything changes. */
interface Kept {
  readonly own: readonly PublishedKey[];
  /** By algorithm; undefined: all keys. */
  readonly keySets: Map<KeyAlgorithm | undefined, KeySet>;
}

export function createFindKeySet(ring: KeyRing, others: ApplicationKeys): FindKeySet {
  const kept = new WeakMap<object, Kept>();
  return async (tenantId, algorithm) => {
    const [own, applications] = await Promise.all([
      ring.published(tenantId),
      others.published(tenantId),
    ]);
    const present = kept.get(applications);
    const keySets: Kept['keySets'] = present?.own === own ? present.keySets : new Map();
    const known = keySets.get(algorithm);
    if (known) return known;
    const isOf = (one: KeyAlgorithm) => algorithm === undefined || algorithm === one;
    const keySet = keySetOf([
      ...own
        .filter(() => isOf('EdDSA'))
        .map((key) => Object.assign(ed25519Jwk(key.publicKey), { kid: key.kid, alg: 'EdDSA' })),
      ...applications
        .filter((key) => isOf(key.algorithm))
        .map((key) => Object.assign(jwkOf(key.publicKey), { kid: key.kid, alg: key.algorithm })),
    ]);
    keySets.set(algorithm, keySet);
    kept.set(applications, { own, keySets });
    return keySet;
  };
}

function ed25519Jwk(publicKey: string) {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey };
}

function keySetOf(keys: readonly object[]): KeySet {
  const all = keys.map((key) => ({ ...key, use: 'sig' }));
  return new Cacheable(JSON.stringify({ keys: all }), KEY_SET_MAX_AGE_SECONDS);
}
