import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { isRegistered, mayLogInInApp } from '../clients/index.ts';
import type { AuthorizationCode, AuthorizationCodes } from '../codes/index.ts';
import { requireField, requireGrant } from './application-answer.ts';
import type { Application } from './application.ts';
import type { TokenRequest } from './client-proof.ts';
import type { Identify } from './identify.ts';
import { type RedeemDependencies, redeemGranted } from './redeem-granted.ts';
import type { IssueToken, Refuse, TokenEndpointRequest } from './request.ts';

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

interface Dependencies extends RedeemDependencies {
  readonly identify: Identify;
  readonly codes: AuthorizationCodes;
  readonly clock: Clock;
}

/** RFC 6749 §4.1.3: the tokens that a user granted to an application. */
export function createCodeGrant(dependencies: Dependencies): IssueToken {
  return (request, fail) =>
    dependencies.identify.knownApplication(request, fail, (client) =>
      exchange(dependencies, request, client, fail),
    );
}

async function exchange(
  dependencies: Dependencies,
  request: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer | 'stale'> {
  const { codes, clock } = dependencies;
  const { tenant, parameters, key } = request;
  requireGrant(client, 'authorization_code', fail);
  const text = parameters.code ?? requireField('code', fail);
  const code = await codes.read(tenant.id, text, clock.now());
  // Nothing is used up by a client that it was not issued to, or that has no verifier.
  if (!code || !isFor(code, client, parameters)) {
    return fail('GRANT_INVALID', { internal: 'code' });
  }
  if (code.jkt !== undefined && code.jkt !== key?.jkt) {
    return fail('GRANT_INVALID', { internal: 'dpop_jkt' });
  }
  return redeemGranted(dependencies, request, client, { ...code, codeHash: sha256(text) }, fail);
}

function isFor(
  { clientId, redirectUri, challenge }: AuthorizationCode,
  client: Application,
  { redirect_uri: presented, code_verifier: verifier }: TokenRequest,
): boolean {
  if (clientId !== client.id || presented !== redirectUri) return false;
  // The client may have given up the address meanwhile, or no longer be let log users in by itself.
  const isStillIts =
    redirectUri === undefined
      ? mayLogInInApp(client)
      : isRegistered(client.redirect_uris, client.kind, redirectUri);
  if (!isStillIts) return false;
  return isVerifierOf(challenge, verifier);
}

/** RFC 7636 §4.6. Without a challenge there must be no verifier, either (RFC 9700 §2.1.1). */
function isVerifierOf(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  return timingSafeEqual(made, Buffer.from(challenge, 'base64url'));
}
