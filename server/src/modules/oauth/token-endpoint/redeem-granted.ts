import type { OAuthClientId } from '@keywright/contract/ids';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Device } from '../../../tenancy/device.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import type { RedeemCode } from '../../tokens/sessions/index.ts';
import { isFapi2Client } from '../clients/index.ts';
import type { AuthorizationCode } from '../codes/index.ts';
import type { IdToken } from '../id-tokens/index.ts';
import { chooseTarget, type FindResources } from '../resources/index.ts';
import { answerWith, idTokenOf, tellsMetadata } from './application-answer.ts';
import type { Application } from './application.ts';
import { chooseDetails } from './details.ts';
import { boundTo, needsKey } from './bound-to.ts';
import { isFixed } from './refresh-policy.ts';
import type { Refuse, TokenEndpointRequest } from './request.ts';
import { targetOf } from './target.ts';

export interface RedeemDependencies {
  readonly idToken: IdToken;
  readonly redeem: RedeemCode;
  readonly findResources: FindResources;
  readonly noteClientUse: NoteUse<OAuthClientId>;
}

/** What a user granted to an application, and the hash that a unique row makes usable once. */
export interface Granted extends Pick<
  AuthorizationCode,
  'userId' | 'workspaceId' | 'loginId' | 'consent' | 'scopes' | 'nonce' | 'targets' | 'details'
> {
  readonly clientId: OAuthClientId;
  readonly codeHash: Buffer;
  /** Claims asked for by name. */
  readonly claims?: AuthorizationCode['claims'];
}

/** The tokens that a user granted to an application, once. @returns `stale` if the client has changed */
export async function redeemGranted(
  { redeem, idToken, findResources, noteClientUse }: RedeemDependencies,
  request: TokenEndpointRequest,
  client: Application,
  granted: Granted,
  fail: Refuse,
): Promise<ClientTokenAnswer | 'stale'> {
  const { tenant, parameters, key } = request;
  const { scopes, nonce, claims, targets = [] } = granted;
  const { authorization_details: wanted } = parameters;
  const detailsNow = chooseDetails(client, granted.details, wanted, fail);
  const resource = await chooseTarget(findResources, tenant, targets, parameters.resource, fail);
  const jkt = await boundTo(key, needsKey(tenant, client, resource), fail);
  const asked = Object.keys(claims?.idToken ?? {});
  const redemption = {
    ...granted,
    targets,
    detailsNow,
    jkt,
    target: resource && targetOf(resource),
    clientVersion: client.version,
    asked: Object.keys(claims?.userinfo ?? {}),
    endsWithLogin: !scopes.includes('offline_access'),
    isRefreshable: mayRefresh(client, scopes),
    isFixed: isFixed(client, jkt),
    endsAtSecondUse: isFapi2Client(tenant, client),
    tellsMetadata: tellsMetadata(scopes, asked),
  };
  const tokens = await redeem(tenant, redemption, deviceOf(request));
  if (tokens === 'stale') return tokens;
  if (typeof tokens === 'string') return fail('GRANT_INVALID', { internal: tokens });
  noteClientUse(tenant.id, client.id);
  const { session } = tokens;
  const told = { client, tokens, scopes, session, nonce, asked };
  const given = resource ? tokens.scope : scopes;
  const answer = answerWith(tokens, { scope: given, details: tokens.details }, jkt);
  return { ...answer, ...(await idTokenOf(idToken, tenant, told)) };
}

/** Applications have no browser of their own. */
function deviceOf({ from }: TokenEndpointRequest): Device {
  return { from, userAgent: null };
}

/** OpenID Connect Core §11. Others have no way to say that they work while the user is away. */
function mayRefresh({ grant_types: grants, first_party }: Application, scopes: readonly string[]) {
  const isOpenId = scopes.includes('openid');
  const isOffline = scopes.includes('offline_access');
  return grants.includes('refresh_token') && (isOffline || first_party || !isOpenId);
}
