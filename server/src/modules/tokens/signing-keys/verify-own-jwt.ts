import { CLOCK_SKEW_SECONDS, TOKEN_TYP } from '@keywright/contract/claims';
import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { verifyByOpenssl } from '../../../platform/crypto/openssl-key.ts';
import { type OutsideToken, parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { importPublicKey, verify } from '../../../platform/crypto/signature-key.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationKeys } from './application-keys.ts';
import type { KeyRing } from './key-ring.ts';
import { listSigningKeys } from './store.ts';

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
