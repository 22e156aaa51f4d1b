import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { matchesRedirectUri, type LoadedClient, mayLogInInApp } from '../clients/index.ts';
import type { AuthorizationCode, AuthorizationCodes } from '../grants/index.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenParameters,
  type TokenRequest,
  requireGrantType,
  requireParameter,
} from './token-request.ts';
import type { GrantRedemption } from './token-response.ts';

/** RFC 6749 §4.1.3: exchanges an authorization code for tokens. */
export class AuthorizationCodeGrant implements Grant {
  readonly #authentication: ClientAuthentication;
  readonly #codes: AuthorizationCodes;
  readonly #redemption: GrantRedemption;
  readonly #clock: Clock;

  constructor(
    authentication: ClientAuthentication,
    codes: AuthorizationCodes,
    redemption: GrantRedemption,
    clock: Clock,
  ) {
    this.#authentication = authentication;
    this.#codes = codes;
    this.#redemption = redemption;
    this.#clock = clock;
  }

  issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    return this.#authentication.withIdentifiedClient(request, fail, (client) =>
      this.#exchange(request, client, fail),
    );
  }

  async #exchange(
    request: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer | 'stale'> {
    const { tenant, parameters, key } = request;
    requireGrantType(client, 'authorization_code', fail);
    const text = parameters.code ?? requireParameter('code', fail);
    const code = await this.#codes.read(tenant.id, text, this.#clock.now());
    // Checked before the code is used up: another client, or one without the verifier, must not use up the code.
    if (!code || !isIssuedTo(client, code, parameters) || !isVerified(code, parameters)) {
      return fail('GRANT_INVALID', { internal: 'code' });
    }
    // RFC 9449 §10.
    if (code.jkt !== undefined && code.jkt !== key?.jkt) {
      return fail('GRANT_INVALID', { internal: 'dpop_jkt' });
    }
    return this.#redemption.redeem(request, client, { ...code, codeHash: sha256(text) }, fail);
  }
}

/**
 * Whether the code was issued to this client and address, and the client still has the address or, without one, the
 * permission to log users in by itself.
 */
function isIssuedTo(
  client: LoadedClient,
  { clientId, redirectUri, test }: AuthorizationCode,
  { redirect_uri: presented }: TokenParameters,
): boolean {
  if (test !== undefined) return false;
  if (clientId !== client.id || presented !== redirectUri) return false;
  return redirectUri === undefined
    ? mayLogInInApp(client)
    : matchesRedirectUri(client.redirect_uris, client.kind, redirectUri);
}

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** RFC 7636 §4.6. Without a challenge there must not be a verifier (RFC 9700 §2.1.1). */
function isVerified(
  { challenge }: AuthorizationCode,
  { code_verifier: verifier }: TokenParameters,
): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  if (!VERIFIER.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier).digest();
  return timingSafeEqual(computed, Buffer.from(challenge, 'base64url'));
}
