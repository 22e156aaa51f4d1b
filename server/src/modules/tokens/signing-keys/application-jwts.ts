import { CLOCK_SKEW_SECONDS, TOKEN_TYP } from '@keywright/contract/claims';
import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { OkOf } from '@keywright/contract/route';
import type { getKeySet } from '@keywright/contract/routes/key-set';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { importPublicKey, signToken, unsignedToken, verify } from '../../../platform/crypto/jws.ts';
import { signByOpenssl, verifyByOpenssl, jwkOf } from '../../../platform/crypto/openssl-key.ts';
import { type OutsideToken, parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationKeys } from './application-keys.ts';
import {
  KEY_SET_MAX_AGE_SECONDS,
  type KeyRing,
  type PublishedApplicationKey,
  type PublishedKey,
} from './key-ring.ts';
import { listSigningKeys } from './signing-keys-store.ts';

/** A JWT for an application. It is never accepted as one of the service's own tokens. */
interface ApplicationJwt {
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

interface Expected {
  readonly kind: 'ID token' | 'access token';
  /** Whether an expired JWT is accepted. */
  readonly allowExpired: boolean;
  /** Whether a JWT is accepted if its key was superseded so long ago that it is no longer published. */
  readonly retiredToo: boolean;
}

interface Key {
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: string;
}

/** JWTs that the tenant signs for applications, which verify them with its key set. */
export class ApplicationJwts {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #applicationKeys: ApplicationKeys;

  constructor(gate: Gate, clock: Clock, keys: KeyRing, applicationKeys: ApplicationKeys) {
    this.#gate = gate;
    this.#clock = clock;
    this.#keys = keys;
    this.#applicationKeys = applicationKeys;
  }

  /** Signs a JWT with the tenant's key of that algorithm. */
  async sign(tenantId: TenantId, { alg, typ, claims }: ApplicationJwt): Promise<string> {
    if (alg === 'EdDSA') return signToken(await this.#keys.signer(tenantId), typ, claims);
    const { kid, privateKey } = await this.#applicationKeys.signer(tenantId, alg);
    const input = unsignedToken({ alg, typ, kid }, claims);
    const signature = await signByOpenssl(alg, privateKey, Buffer.from(input));
    return `${input}.${signature.toString('base64url')}`;
  }

  /**
   * Returns the claims of a JWT that the tenant signed for an application, such as an ID token presented as a hint
   * (OpenID Connect Core §3.1.2.1). A JWT signed by a key that an administrator deleted is rejected. The caller
   * checks the token's subject and client. This never authenticates a caller.
   */
  async verify(
    tenant: Tenant,
    jwt: string,
    { kind, allowExpired, retiredToo }: Expected,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const token = parseOutsideToken(jwt);
    if (token?.kid === undefined || !isOfKind(token, kind)) return undefined;
    const { kid, claims } = token;
    const key =
      (await this.#findPublished(tenant.id, kid)) ??
      (retiredToo ? await this.#findSuperseded(tenant.id, kid) : undefined);
    if (!key || !isSignedWith(key, token) || claims['iss'] !== tenant.issuer) return undefined;
    const { exp } = claims;
    if (typeof exp !== 'number') return undefined;
    const isCurrent = exp + CLOCK_SKEW_SECONDS > epochSeconds(this.#clock.now());
    return isCurrent || allowExpired ? claims : undefined;
  }

  async #findPublished(tenantId: TenantId, kid: string): Promise<Key | undefined> {
    const published = await this.#keys.published(tenantId);
    const publicKey = published.find((keyAlgorithm) => keyAlgorithm.kid === kid)?.publicKey;
    if (publicKey !== undefined) return { algorithm: 'EdDSA', publicKey };
    return (await this.#applicationKeys.published(tenantId)).find(
      (keyAlgorithm) => keyAlgorithm.kid === kid,
    );
  }

  async #findSuperseded(tenantId: TenantId, kid: string): Promise<Key | undefined> {
    const rows = await this.#gate.into(tenantId).transaction(listSigningKeys);
    const row = rows.find(
      (keyAlgorithm) => keyAlgorithm.id === kid && keyAlgorithm.retired_at === null,
    );
    return row && { algorithm: row.algorithm, publicKey: row.public_key };
  }
}

/**
 * Checks the kind of a JWT (RFC 8725 §3.12). An access token for a resource can have the `typ` of an ID token
 * (`access_token_typ`), but no ID token has the `token_type` of an access token.
 */
function isOfKind({ typ, claims }: OutsideToken, kind: Expected['kind']): boolean {
  const isAccessToken = typ === TOKEN_TYP.access || claims['token_type'] === 'access';
  const isAccepted = typ === TOKEN_TYP.access || typ === 'jwt';
  return isAccepted && isAccessToken === (kind === 'access token');
}

/** The key determines the algorithm, not the token (RFC 8725 §3.1). */
function isSignedWith({ algorithm, publicKey }: Key, token: OutsideToken): boolean {
  const { alg, signature } = token;
  if (alg !== algorithm) return false;
  const input = Buffer.from(token.signingInput);
  return algorithm === 'EdDSA'
    ? verify(input, signature, importPublicKey(publicKey))
    : verifyByOpenssl(algorithm, publicKey, input, signature);
}

type KeySet = Cacheable<OkOf<typeof getKeySet>>;

/** A serialized key set, and the keys for applications in it. Any change of these keys creates a new list. */
interface CachedSet {
  readonly ofApplications: readonly PublishedApplicationKey[];
  readonly keySet: KeySet;
}

/** Key sets of tenants (RFC 7517, RFC 8037). */
export class KeySets {
  readonly #keys: KeyRing;
  readonly #applicationKeys: ApplicationKeys;
  /** Key sets with all keys, by the list of the service's keys. */
  readonly #cached = new WeakMap<readonly PublishedKey[], CachedSet>();

  constructor(keys: KeyRing, applicationKeys: ApplicationKeys) {
    this.#keys = keys;
    this.#applicationKeys = applicationKeys;
  }

  /** Returns all keys of a tenant, if they are in memory and still valid. */
  cached(tenantId: TenantId): KeySet | undefined {
    const serviceKeys = this.#keys.cached(tenantId);
    const cached = serviceKeys && this.#cached.get(serviceKeys);
    const isValid = cached && cached.ofApplications === this.#applicationKeys.cached(tenantId);
    return isValid ? cached.keySet : undefined;
  }

  /**
   * Returns the published keys of a tenant, newest first, starting with the keys that sign the tenant's own tokens.
   * @param algorithm only keys of this algorithm; default: all keys
   */
  async find(tenantId: TenantId, algorithm?: KeyAlgorithm): Promise<KeySet> {
    const [serviceKeys, ofApplications] = await Promise.all([
      this.#keys.published(tenantId),
      this.#applicationKeys.published(tenantId),
    ]);
    const jwks = [
      ...serviceKeys.map((key) =>
        Object.assign(ed25519Jwk(key.publicKey), { kid: key.kid, alg: 'EdDSA' }),
      ),
      ...ofApplications.map((key) =>
        Object.assign(jwkOf(key.publicKey), { kid: key.kid, alg: key.algorithm }),
      ),
    ];
    if (algorithm !== undefined) return keySetOf(jwks.filter(({ alg }) => alg === algorithm));
    const cached = this.#cached.get(serviceKeys);
    if (cached?.ofApplications === ofApplications) return cached.keySet;
    const keySet = keySetOf(jwks);
    this.#cached.set(serviceKeys, { ofApplications, keySet });
    return keySet;
  }
}

function ed25519Jwk(publicKey: string) {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey };
}

function keySetOf(keys: readonly object[]): KeySet {
  const all = keys.map((key) => ({ ...key, use: 'sig' }));
  return new Cacheable(JSON.stringify({ keys: all }), KEY_SET_MAX_AGE_SECONDS);
}
