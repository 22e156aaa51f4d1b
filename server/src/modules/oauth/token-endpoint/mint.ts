import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { grantsOf } from '../../tokens/grants/index.ts';
import { fixedClaimsOf } from '../../tokens/sessions/index.ts';
import type { KeyRing, SignJwt } from '../../tokens/signing-keys/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import {
  mintAccessToken,
  mintResourceToken,
  tokenTypeOf,
  type TokenSubject,
  type TokenTarget,
} from '../../tokens/access-tokens/index.ts';
import type { Client } from './client.ts';

const NEVER = new Date(8.64e15);

/** Whom a token is for, before it has its bit. */
export type Unmarked = Omit<TokenSubject, 'bit'>;

/** Signs a token, and answers with it as RFC 6749 §5.1 says. */
export type Mint = (
  tenant: Tenant,
  subject: Unmarked,
  longestSeconds: number,
  /** Undefined: the tenant itself. */
  target?: TokenTarget,
) => Promise<ClientTokenAnswer>;

interface Dependencies {
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly signJwt: SignJwt;
}

export function createMint({ keys, bits, clock, signJwt }: Dependencies): Mint {
  return async (tenant, unmarked, longestSeconds, target) => {
    const { sub, scopes, grant, grantEndsAt, details, jkt } = unmarked;
    const grants = grantsOf({ sub, tenant_id: tenant.id, ...grant });
    const now = clock.now();
    const endsAt = Math.min(grantEndsAt.getTime(), now.getTime() + longestSeconds * 1000);
    const [key, bit] = await Promise.all([
      keys.signer(tenant.id),
      bits.of(tenant.id, grants, new Date(endsAt)),
    ]);
    const subject = { ...unmarked, bit };
    const { token, expiresIn } = target
      ? await mintResourceToken(signJwt, tenant, target, subject, now, longestSeconds)
      : mintAccessToken(key, tenant, subject, now, longestSeconds);
    return {
      access_token: token,
      token_type: tokenTypeOf(jkt),
      expires_in: expiresIn,
      scope: scopes.join(' '),
      ...(details && { authorization_details: [...details] }),
    };
  };
}

/** An agent as itself. */
export function ownSubject(tenant: Tenant, client: Client, scopes: readonly string[]): Unmarked {
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
