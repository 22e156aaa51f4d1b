import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { TokenStatus } from '../generated/records.ts';

/** A client of the service with its own token (`createClient`), which verifies API keys. */
export interface ApiKeyClient {
  readonly auth: {
    verifyToken(body: { readonly token: string }): PromiseLike<TokenStatus>;
  };
}

/** Whose keys are accepted. */
interface Expectations {
  readonly issuer: string;
  readonly tenant: string | undefined;
}

const PREFIX = 'svc_sk_';

export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * The claims of an API key. The service is called every time, because a cached response could outlive the key.
 *
 * @throws VerificationError `api_key_inactive`, or `api_keys_unavailable` if the service is unreachable
 */
export async function verifyApiKey(
  key: string,
  client: ApiKeyClient,
  expected: Expectations,
): Promise<AccessTokenClaims> {
  const status = await fetchStatus(key, client);
  if (!status.active) throw new VerificationError('api_key_inactive');
  const { iss, sub, tenant_id: tenantId, scopes } = status;
  if (expected.tenant !== undefined && tenantId !== expected.tenant) {
    throw new VerificationError('tenant');
  }
  if (iss !== undefined && iss !== expected.issuer) throw new VerificationError('issuer');
  if (typeof sub !== 'string' || !Array.isArray(scopes)) throw new VerificationError('claims');
  const { active: _, ...claims } = status;
  // The claims of an API key have no `jti`, and have `iat` and `exp` only if the service returns them.
  return Object.freeze(claims) as AccessTokenClaims;
}

async function fetchStatus(key: string, client: ApiKeyClient): Promise<TokenStatus> {
  try {
    return await client.auth.verifyToken({ token: key });
  } catch (cause) {
    throw new VerificationError('api_keys_unavailable', { cause });
  }
}
