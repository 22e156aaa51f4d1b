import { type Acr, isFresh } from '@keywright/contract/assurance';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import type { AllowedAt } from '../consents/index.ts';
import { areStillKnown, knownResources } from '../resources/index.ts';
import type { AuthorizationError, AuthorizationRequest, RequestingClient } from './request.ts';
import { hasPrompt } from './rules.ts';
import { allOf, furtherScopes, place, type PlacedScopes, type Places } from './scopes.ts';
import { lacksTarget } from './targets.ts';

/** The login of this browser. */
export interface LoggedIn {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly authTime: Date;
  readonly acr: Acr;
  /** What the user may do now. */
  readonly scopes: readonly string[];
}

/** What the user allowed this client earlier. */
export interface Consented {
  readonly scopes: readonly string[];
  /** At resources. */
  readonly at: readonly AllowedAt[];
}

/** What the user did for this request alone. It is sealed with the request, so nobody else can have said it. */
export interface Done {
  /** They logged in: the session that this opened. */
  readonly login?: SessionId;
  /** They chose to continue with this session. */
  readonly selection?: SessionId;
  /** They were asked for their consent in this session, and gave it. */
  readonly consent?: SessionId;
}

interface Situation {
  readonly request: AuthorizationRequest;
  readonly client: Pick<
    RequestingClient,
    'first_party' | 'kind' | 'authorization_details_types' | 'token_endpoint_auth_method'
  >;
  /** What access tokens are asked for. */
  readonly places: Places;
  /** Whether users who consented are asked again. */
  readonly asks: TenantConfig['oauth_consent'];
  readonly session: LoggedIn | undefined;
  readonly consent: Consented | undefined;
  readonly done: Done;
  /** Whom the client expects, if it named somebody (`id_token_hint`). */
  readonly expected: UserId | undefined;
  readonly now: Date;
}

/** What a request leads to. */
export type Outcome =
  | { readonly kind: 'page'; readonly page: 'login' | 'register' | 'select_account' | 'confirm' }
  /** All that the user is asked for; `added`: what they have not allowed yet. */
  | ({
      readonly kind: 'page';
      readonly page: 'consent';
      readonly added: PlacedScopes;
    } & PlacedScopes)
  | { readonly kind: 'error'; readonly error: AuthorizationError }
  | ({ readonly kind: 'granted'; readonly session: LoggedIn } & PlacedScopes);

/** Pure: who logged in, what they allowed and what the client demands decide, and nothing else. */
export function decideAuthorization(situation: Situation): Outcome {
  const { request, session, done } = situation;
  if (session === undefined) {
    const page = hasPrompt(request, 'create') ? 'register' : 'login';
    return orError(request, { kind: 'page', page }, 'login_required');
  }
  const refusal = refusalOfLogin(situation, session);
  if (refusal) return refusal;
  if (hasPrompt(request, 'select_account') && done.selection !== session.sessionId) {
    // A login just now is a choice, too.
    if (done.login !== session.sessionId) return { kind: 'page', page: 'select_account' };
  }
  const outcome = decideConsent(situation, session);
  return outcome.kind === 'granted' && needsConfirmation(situation, session)
    ? orError(request, { kind: 'page', page: 'confirm' }, 'interaction_required')
    : outcome;
}

/**
 * RFC 8252 §8.6: every program on the device can send this request in the name of a public client, and receive its code
 * at the loopback address or by a scheme of its own. A key (DPoP) is chosen by whoever sends the request, so it does not
 * say which program that is; only a claimed https address does. What the user did for this request is enough.
 * First-party browser apps are at a loopback address only in development, where they work as they do at their https one.
 */
function needsConfirmation(
  { request: { redirectUri, device, inApp }, client, done }: Situation,
  { sessionId }: LoggedIn,
): boolean {
  const isPublic = client.token_endpoint_auth_method === 'none';
  const isBrowserApp = client.kind === 'spa' && client.first_party;
  const isOnDevice = !device && !inApp && new URL(redirectUri).protocol !== 'https:';
  const acted = [done.login, done.selection, done.consent].includes(sessionId);
  return isPublic && !isBrowserApp && isOnDevice && !acted;
}

/** OpenID Connect Core §3.1.2.6: with `prompt=none` no page is ever shown. */
function orError(request: AuthorizationRequest, page: Outcome, error: AuthorizationError): Outcome {
  return hasPrompt(request, 'none') ? { kind: 'error', error } : page;
}

/** Whether this login is not the one that the client demands. */
function refusalOfLogin(situation: Situation, session: LoggedIn): Outcome | undefined {
  const { request, done, expected, now } = situation;
  const { maxAge, acrValues } = request;
  const isNew = done.login === session.sessionId;
  const login = { auth_time: Math.floor(session.authTime.getTime() / 1000), acr: session.acr };
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const again: Outcome = { kind: 'page', page: 'login' };
  if (expected !== undefined && expected !== session.userId) {
    // Whoever logged in for this request is somebody else.
    return isNew
      ? { kind: 'error', error: 'login_required' }
      : orError(request, again, 'login_required');
  }
  if (!isNew) {
    // OpenID Connect Core §3.1.2.1: 0 asks for a login now, also within the same second.
    const isTooOld = maxAge === 0 || !isFresh(login, { maxAge }, nowSeconds);
    const isAsked = hasPrompt(request, 'login') || hasPrompt(request, 'create');
    if (isTooOld || isAsked) return orError(request, again, 'login_required');
  }
  const isStrong =
    acrValues.length === 0 || acrValues.some((acr) => isFresh(login, { acr }, nowSeconds));
  if (isStrong) return undefined;
  // RFC 9470 §4. One that was new could be no stronger.
  return isNew
    ? { kind: 'error', error: 'unmet_authentication_requirements' }
    : orError(request, again, 'unmet_authentication_requirements');
}

function decideConsent(situation: Situation, session: LoggedIn): Outcome {
  const { request, client, places, consent, done, asks } = situation;
  if (lacksTarget(request.targets, places)) return { kind: 'error', error: 'invalid_target' };
  if (isOutdated(situation)) return { kind: 'error', error: 'invalid_authorization_details' };
  // What is asked for, that the user can give.
  const offered = place(request.scopes, places, session.scopes);
  if (allOf(offered).length === 0) return { kind: 'error', error: 'invalid_scope' };
  const granted: Outcome = { kind: 'granted', session, ...offered };
  // Whoever begun it on a device may be somebody else: RFC 8628 §5.4.
  const isOfDevice = request.device !== undefined;
  if (client.first_party && !isOfDevice) return granted;
  const added = addedTo(consent, offered);
  // RFC 9396 §12: what is allowed in particular, such as a payment, is allowed each time.
  const isParticular = request.details !== undefined;
  const isWanted = hasPrompt(request, 'consent') || asks === 'always';
  const isAgain = isOfDevice || isParticular || isWanted;
  const isAsked = isAgain && done.consent !== session.sessionId;
  if (!added && !isAsked) return granted;
  const page = { kind: 'page', page: 'consent', ...offered, added: added ?? NOTHING } as const;
  return orError(request, page, 'consent_required');
}

/** Whether what is asked for in particular is not what its types say any more: a type, or what a client may, was changed. */
function isOutdated({ request: { details }, client, places }: Situation): boolean {
  if (!details) return false;
  const types = client.authorization_details_types;
  return !areStillKnown(details, types, knownResources(places.resources));
}

const NOTHING: PlacedScopes = { scopes: [], at: [] };

/** What was not allowed earlier. Undefined: all of it was. */
export function addedTo(
  consent: Consented | undefined,
  { scopes, at }: PlacedScopes,
): PlacedScopes | undefined {
  if (!consent) return { scopes, at };
  const further = at.flatMap(({ resource, scopes: wanted }) => {
    const there = consent.at.find(({ resourceId }) => resourceId === resource.id);
    const missing = furtherScopes(wanted, there?.scopes ?? []);
    return there && missing.length === 0 ? [] : [{ resource, scopes: missing }];
  });
  const own = furtherScopes(scopes, consent.scopes);
  return own.length === 0 && further.length === 0 ? undefined : { scopes: own, at: further };
}
