import type { OAuthClientId } from '@keywright/contract/ids';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import type { RedeemCode } from '../../tokens/sessions/index.ts';
import type { AuthorizationCode, Codes } from '../codes/index.ts';
import type { IdToken } from '../id-tokens/index.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { chooseTarget, type FindResources } from '../resources/index.ts';
import {
  answerWith,
  idTokenOf,
  requireField,
  requireGrant,
  tellsMetadata,
} from './application-answer.ts';
import type { Application } from './application.ts';
import { boundTo, needsKey } from './bound-to.ts';
import type { TokenRequest } from './client-proof.ts';
import type { Identify } from './identify.ts';
import type { IssueToken, Refuse, TokenEndpointRequest } from './request.ts';
import { targetOf } from './target.ts';

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

interface Dependencies {
  readonly identify: Identify;
  readonly idToken: IdToken;
  readonly codes: Codes;
  readonly redeem: RedeemCode;
  readonly clock: Clock;
  readonly findResources: FindResources;
  readonly noteClientUse: NoteUse<OAuthClientId>;
}

/** RFC 6749 §4.1.3: the tokens that a user granted to an application. */
export function createCodeGrant(dependencies: Dependencies): IssueToken {
  return (request, fail) =>
    dependencies.identify.knownApplication(request, fail, (client) =>
      exchange(dependencies, request, client, fail),
    );
}

async function exchange(
  { codes, redeem, clock, idToken, findResources, noteClientUse }: Dependencies,
  request: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer | 'stale'> {
  const { tenant, parameters, key } = request;
  requireGrant(client, 'authorization_code', fail);
  const text = parameters.code ?? requireField('code', fail);
  const code = await codes.read(tenant.id, text, clock.now());
  // Nothing is used up by a client that it was not issued to, or that has no verifier.
  if (!code || !isFor(code, client, parameters)) return refuse('code', fail);
  const { scopes, nonce, claims, targets = [] } = code;
  const resource = await chooseTarget(findResources, tenant, targets, parameters.resource, fail);
  if (code.jkt !== undefined && code.jkt !== key?.jkt) return refuse('dpop_jkt', fail);
  const jkt = await boundTo(key, needsKey(client, resource), fail);
  const asked = Object.keys(claims.idToken);
  const redemption = {
    ...code,
    targets,
    jkt,
    target: resource && targetOf(resource),
    clientVersion: client.version,
    codeHash: sha256(text),
    asked: Object.keys(claims.userinfo),
    endsWithLogin: !scopes.includes('offline_access'),
    isRefreshable: mayRefresh(client, scopes),
    tellsMetadata: tellsMetadata(scopes, asked),
  };
  const tokens = await redeem(tenant, redemption, deviceOf(request));
  if (tokens === 'stale') return tokens;
  if (typeof tokens === 'string') return refuse(tokens, fail);
  noteClientUse(tenant.id, client.id);
  const { session } = tokens;
  const told = { client, tokens, scopes, session, nonce, asked };
  const granted = resource ? tokens.scope : scopes;
  return { ...answerWith(tokens, granted, jkt), ...(await idTokenOf(idToken, tenant, told)) };
}

/** Applications have no browser of their own. */
function deviceOf({ from }: TokenEndpointRequest): Device {
  return { from, userAgent: null };
}

function isFor(
  { clientId, redirectUri, challenge }: AuthorizationCode,
  client: Application,
  { redirect_uri: presented, code_verifier: verifier }: TokenRequest,
): boolean {
  if (clientId !== client.id || presented !== redirectUri) return false;
  return isVerifierOf(challenge, verifier);
}

/** RFC 7636 §4.6. Without a challenge there must be no verifier, either (RFC 9700 §2.1.1). */
function isVerifierOf(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  if (!VERIFIER.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest();
  return timingSafeEqual(made, Buffer.from(challenge, 'base64url'));
}

/** OpenID Connect Core §11. Others have no way to say that they work while the user is away. */
function mayRefresh({ grant_types: grants, first_party }: Application, scopes: readonly string[]) {
  const isOpenId = scopes.includes('openid');
  const isOffline = scopes.includes('offline_access');
  return grants.includes('refresh_token') && (isOffline || first_party || !isOpenId);
}

function refuse(reason: string, fail: Refuse): never {
  return fail('GRANT_INVALID', { internal: reason });
}
