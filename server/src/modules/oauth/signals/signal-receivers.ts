import type { IncomingHttpHeaders } from 'node:http';
import { scopeChallenge } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import { type OAuthClientId, parseOAuthClientId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { type Origin, type PresentedCredential, describeMissing } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { type Clients, type LoadedClient, requireOAuth } from '../clients/index.ts';

/** The scopes of receivers of shared signals (CAEP Interoperability Profile §2.7.2). */
export const SIGNAL_SCOPES = ['ssf.manage', 'ssf.read'] as const;
export type SignalScope = (typeof SIGNAL_SCOPES)[number];

/** The token has no row, so it is revoked early only when its client loses the right to streams. */
const LIFETIME_SECONDS = 600;

/** The claims of an access token for streams. */
interface SignalToken {
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  /** RFC 7800 §3.1. */
  readonly cnf?: { readonly jkt: string };
}

/** Issues and verifies access tokens that clients use only for their own streams. */
export class SignalTokens {
  readonly #jwts: ApplicationJwts;
  readonly #clock: Clock;

  constructor(jwts: ApplicationJwts, clock: Clock) {
    this.#jwts = jwts;
    this.#clock = clock;
  }

  async issue(
    tenant: Tenant,
    { id }: { readonly id: OAuthClientId },
    scopes: readonly SignalScope[],
    jkt: string | undefined,
  ): Promise<{ readonly access_token: string; readonly expires_in: number }> {
    const iat = epochSeconds(this.#clock.now());
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
    return { access_token: await this.#jwts.sign(tenant.id, jwt), expires_in: LIFETIME_SECONDS };
  }

  /** Returns undefined unless the token is valid. The caller checks that the client still has the right to streams. */
  async read(tenant: Tenant, token: string): Promise<SignalToken | undefined> {
    const expected = { kind: 'access token', allowExpired: false, retiredToo: false } as const;
    const claims = await this.#jwts.verify(tenant, token, expected);
    if (claims?.['aud'] !== audienceOf(tenant)) return undefined;
    const { client_id: client, sub, scope, cnf } = claims;
    const clientId = parseOAuthClientId(String(client));
    if (!clientId || sub !== clientId || typeof scope !== 'string') return undefined;
    const bound = cnf === undefined ? {} : { cnf: cnf as { jkt: string } };
    return { clientId, scopes: scope.split(' '), ...bound };
  }
}

/** The audience is not a resource of the tenant, because resources are addresses of other services. */
function audienceOf({ issuer }: Tenant): string {
  return `${issuer}/ssf`;
}

export type RefuseReceiver = Fail<
  'TOKEN_INVALID' | 'TENANT_MISMATCH' | 'OAUTH_OFF' | 'SCOPE_REQUIRED' | 'SIGNALS_REFUSED'
>;

/** A receiver of shared signals: a client with the right to streams. */
export interface Receiver {
  readonly tenant: Tenant;
  readonly client: LoadedClient;
  readonly from: Origin;
}

/** A request whose caller is not yet authenticated. */
interface ReceiverRequest {
  readonly tenant: Tenant;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
  readonly headers: IncomingHttpHeaders;
}

const TOKEN_REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };

/** Authenticates receivers by their access tokens. */
export class SignalReceivers {
  readonly #clients: Clients;
  readonly #signalTokens: SignalTokens;
  readonly #dpop: Dpop;

  constructor(clients: Clients, signalTokens: SignalTokens, dpop: Dpop) {
    this.#clients = clients;
    this.#signalTokens = signalTokens;
    this.#dpop = dpop;
  }

  /** Requires a receiver that can read. */
  requireReader(request: ReceiverRequest, fail: RefuseReceiver): Promise<Receiver> {
    return this.#require(request, 'ssf.read', fail);
  }

  /** Requires a receiver that can change its streams. */
  requireManager(request: ReceiverRequest, fail: RefuseReceiver): Promise<Receiver> {
    return this.#require(request, 'ssf.manage', fail);
  }

  async #require(
    { tenant, credential, from, headers }: ReceiverRequest,
    scope: SignalScope,
    fail: RefuseReceiver,
  ): Promise<Receiver> {
    requireOAuth(tenant, fail);
    const presented = credential ?? fail('TOKEN_INVALID', describeMissing(headers));
    requireTenant(tenant, presented.token, fail);
    const token =
      (await this.#signalTokens.read(tenant, presented.token)) ??
      fail('TOKEN_INVALID', TOKEN_REJECTED);
    await this.#dpop.requireBinding(tenant, token, presented, fail);
    const client = await this.#clients.find(tenant.id, token.clientId);
    if (!client?.is_active) return fail('TOKEN_INVALID', TOKEN_REJECTED);
    if (client.shared_signals === 'none') fail('SIGNALS_REFUSED');
    // CAEP Interoperability Profile §2.7.2: `ssf.manage` includes `ssf.read`.
    if (!token.scopes.includes(scope) && !token.scopes.includes('ssf.manage')) {
      fail('SCOPE_REQUIRED', {
        detail: `The token lacks: ${scope}.`,
        challenge: scopeChallenge([scope]),
      });
    }
    return { tenant, client, from };
  }
}

/** SPEC authentication 7. Checked before the signature, since a token of another tenant is rejected in any case. */
function requireTenant({ id }: Tenant, token: string, fail: Fail<'TENANT_MISMATCH'>): void {
  const { tenant_id: tenantId } = parseOutsideToken(token)?.claims ?? {};
  if (typeof tenantId === 'string' && tenantId !== id) fail('TENANT_MISMATCH', TOKEN_REJECTED);
}
