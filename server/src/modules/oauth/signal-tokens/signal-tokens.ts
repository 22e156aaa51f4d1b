import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SignJwt, VerifyOwnJwt } from '../../tokens/signing-keys/index.ts';

/** Of receivers of shared signals (CAEP Interoperability Profile §2.7.2). */
export const SIGNAL_SCOPES = ['ssf.manage', 'ssf.read'] as const;
export type SignalScope = (typeof SIGNAL_SCOPES)[number];

/** It names nothing that is stored: that the client is no longer allowed ends it at once. */
const LIFETIME_SECONDS = 600;

/** What a client uses for its streams. */
interface SignalToken {
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  /** RFC 7800 §3.1. */
  readonly cnf?: { readonly jkt: string };
}

/** Access tokens of clients for themselves: for the streams of signals, and for nothing else. */
export interface SignalTokens {
  issue(
    tenant: Tenant,
    client: { readonly id: OAuthClientId },
    scopes: readonly SignalScope[],
    jkt: string | undefined,
  ): Promise<{ readonly access_token: string; readonly expires_in: number }>;
  /** Undefined unless it is one, and current. Whether its client still may is for the caller to ask. */
  read(tenant: Tenant, token: string): Promise<SignalToken | undefined>;
}

interface SignalTokenDependencies {
  readonly signJwt: SignJwt;
  readonly verifyOwnJwt: VerifyOwnJwt;
  readonly clock: Clock;
}

export function createSignalTokens({ signJwt, verifyOwnJwt, clock }: SignalTokenDependencies): SignalTokens {
  return {
    async issue(tenant, { id }, scopes, jkt) {
      const iat = epochSeconds(clock.now());
      const claims = {
        jti: randomId(),
        iss: tenant.issuer,
        sub: id,
        aud: audienceOf(tenant),
        iat,
        exp: iat + LIFETIME_SECONDS,
        tenant_id: tenant.id,
        client_id: id,
        scope: scopes.join(' '),
        ...(jkt !== undefined && { cnf: { jkt } }),
      };
      const jwt = { alg: 'EdDSA', typ: 'at+jwt', claims } as const;
      return { access_token: await signJwt(tenant.id, jwt), expires_in: LIFETIME_SECONDS };
    },
    async read(tenant, token) {
      const expected = { kind: 'access token', allowExpired: false, retiredToo: false } as const;
      const claims = await verifyOwnJwt(tenant, token, expected);
      if (claims?.['aud'] !== audienceOf(tenant)) return undefined;
      const { client_id: client, sub, scope, cnf } = claims;
      const clientId = parseOAuthClientId(String(client));
      if (!clientId || sub !== clientId || typeof scope !== 'string') return undefined;
      const bound = cnf === undefined ? {} : { cnf: cnf as { jkt: string } };
      return { clientId, scopes: scope.split(' '), ...bound };
    },
  };
}

/** No resource of the tenant: those are addresses of others. */
function audienceOf({ issuer }: Tenant): string {
  return `${issuer}/ssf`;
}
