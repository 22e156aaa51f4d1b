import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../platform/clock.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { fixedClaimsOf } from '../sessions/index.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import { mintAccessToken, type TokenSubject } from '../tokens/index.ts';
import type { Client } from './client.ts';

const NEVER = new Date(8.64e15);

/** Signs a token, and answers with it as RFC 6749 §5.1 says. */
export type Mint = (
  tenant: Tenant,
  subject: TokenSubject,
  longestSeconds: number,
) => Promise<ClientTokenAnswer>;

export function createMint(keys: KeyRing, clock: Clock): Mint {
  return async (tenant, subject, longestSeconds) => {
    const key = await keys.signer(tenant.id);
    const { token, expiresIn } = mintAccessToken(key, tenant, subject, clock.now(), longestSeconds);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresIn,
      scope: subject.scopes.join(' '),
    };
  };
}

/** An agent as itself. */
export function ownSubject(
  tenant: Tenant,
  client: Client,
  scopes: readonly string[],
): TokenSubject {
  const { agentId, workspaceId, version, keyId, endsAt = NEVER } = client;
  const key = keyId === undefined ? {} : { key_id: keyId };
  return {
    sub: agentId,
    workspaceId,
    roles: [],
    scopes,
    grant: { client_id: agentId, ...key, ver: version },
    grantEndsAt: endsAt,
    customClaims: fixedClaimsOf(tenant),
  };
}
