import { type Acr, isFresh } from '@keywright/contract/assurance';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import { redirectOriginOf } from '../clients/index.ts';
import type { AllowedAt } from '../consents/index.ts';
import { areStillKnown, knownResources } from '../resources/index.ts';
import type {
  AuthorizationError,
  AuthorizationRequest,
  RequestingClient,
} from './authorization-request.ts';
import { hasPrompt } from './request-parameters.ts';
import {
  allOf,
  furtherScopes,
  place,
  type PlacedScopes,
  type Places,
  lacksTarget,
} from './request-scopes.ts';

/** The login of this browser. */
export interface LoggedIn {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly authTime: Date;
  readonly acr: Acr;
  /** The user's current permissions. */
  readonly scopes: readonly string[];
}

/** The user's earlier consent to this client. */
export interface Consented {
  readonly scopes: readonly string[];
  /** At resources. */
  readonly at: readonly AllowedAt[];
  /** Where the user has agreed that codes are sent. */
  readonly redirectOrigins: readonly string[];
}

/** What the user did for this request. It is sealed with the request, so it cannot be forged. */
export interface Done {
  /** They logged in: the session that this opened. */
  readonly login?: SessionId;
  /** They chose to continue with this session. */
  readonly selection?: SessionId;
  /** They gave their consent in this session. */
  readonly consent?: SessionId;
}

interface Situation {
  readonly request: AuthorizationRequest;
  readonly client: Pick<
    RequestingClient,
    'first_party' | 'kind' | 'authorization_details_types' | 'token_endpoint_auth_method'
  >;
  /** The targets of the requested access tokens. */
  readonly places: Places;
  /** Whether users who consented are asked again. */
  readonly asks: TenantConfig['oauth_consent'];
  readonly session: LoggedIn | undefined;
  readonly consent: Consented | undefined;
  readonly done: Done;
  /** The user whom the client expects (`id_token_hint`). */
  readonly expected: UserId | undefined;
  readonly now: Date;
}

/** The outcome of a request. */
export type Outcome =
  | { readonly kind: 'page'; readonly page: 'login' | 'register' | 'select_account' | 'confirm' }
  /** Everything that the consent covers; `added`: what the user has not allowed yet. */
  | ({
      readonly kind: 'page';
      readonly page: 'consent';
      readonly added: PlacedScopes;
    } & PlacedScopes)
  | { readonly kind: 'error'; readonly error: AuthorizationError }
  | ({ readonly kind: 'granted'; readonly session: LoggedIn } & PlacedScopes);

/** Pure: depends only on who logged in, what they allowed, and what the client requires. */
export function decideAuthorization(situation: Situation): Outcome {
  const { request, session, done } = situation;
  if (session === undefined) {
    const page = hasPrompt(request, 'create') ? 'register' : 'login';
    return orError(request, { kind: 'page', page }, 'login_required');
  }
  const refusal = refusalOfLogin(situation, session);
  if (refusal) return refusal;
  if (hasPrompt(request, 'select_account') && done.selection !== session.sessionId) {
    // A login for this request also counts as a choice.
    if (done.login !== session.sessionId) return { kind: 'page', page: 'select_account' };
  }
  const outcome = decideConsent(situation, session);
  return outcome.kind === 'granted' && needsConfirmation(situation, session)
    ? orError(request, { kind: 'page', page: 'confirm' }, 'interaction_required')
    : outcome;
}

/**
 * RFC 8252 §8.6: any program on the device can send this request in the name of a public client, and receive its code
 * at the loopback address or by a custom scheme. Only a claimed https URL identifies the program. A DPoP key does not:
 * the sender of the request chooses it. The confirmation is any act of the user for this request. First-party browser
 * apps use a loopback address only in development, where they should work as in production.
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

/** Whether this login does not meet the client's requirements. */
function refusalOfLogin(situation: Situation, session: LoggedIn): Outcome | undefined {
  const { request, done, expected, now } = situation;
  const { maxAge, acrValues } = request;
  const isNew = done.login === session.sessionId;
  const login = { auth_time: Math.floor(session.authTime.getTime() / 1000), acr: session.acr };
  const nowSeconds = Math.floor(now.getTime() / 1000);
  const again: Outcome = { kind: 'page', page: 'login' };
  if (expected !== undefined && expected !== session.userId) {
    // A different user logged in for this request.
    return isNew
      ? { kind: 'error', error: 'login_required' }
      : orError(request, again, 'login_required');
  }
  if (!isNew) {
    // OpenID Connect Core §3.1.2.1: 0 requires a new login, even within the same second.
    const isTooOld = maxAge === 0 || !isFresh(login, { maxAge }, nowSeconds);
    const isAsked = hasPrompt(request, 'login') || hasPrompt(request, 'create');
    if (isTooOld || isAsked) return orError(request, again, 'login_required');
  }
  const isStrong =
    acrValues.length === 0 || acrValues.some((acr) => isFresh(login, { acr }, nowSeconds));
  if (isStrong) return undefined;
  // RFC 9470 §4. A new login could not be stronger.
  return isNew
    ? { kind: 'error', error: 'unmet_authentication_requirements' }
    : orError(request, again, 'unmet_authentication_requirements');
}

function decideConsent(situation: Situation, session: LoggedIn): Outcome {
  const { request, client, places, consent, done, asks } = situation;
  if (lacksTarget(request.targets, places)) return { kind: 'error', error: 'invalid_target' };
  if (isOutdated(situation)) return { kind: 'error', error: 'invalid_authorization_details' };
  // The requested scopes that the user can grant.
  const offered = place(request.scopes, places, session.scopes);
  if (allOf(offered).length === 0) return { kind: 'error', error: 'invalid_scope' };
  const granted: Outcome = { kind: 'granted', session, ...offered };
  // RFC 8628 §5.4: another person may have started it on the device.
  const isOfDevice = request.device !== undefined;
  if (client.first_party && !isOfDevice) return granted;
  const added = addedTo(consent, offered);
  // RFC 9396 §12: authorization details, such as a payment, are approved each time.
  const isParticular = request.details !== undefined;
  const isWanted = hasPrompt(request, 'consent') || asks === 'always';
  const isAgain = isOfDevice || isParticular || isWanted;
  const isAsked = isAgain && done.consent !== session.sessionId;
  const isNewAddress = !isOfDevice && !coversAddress(consent, request.redirectUri);
  if (!added && !isAsked && !isNewAddress) return granted;
  const page = { kind: 'page', page: 'consent', ...offered, added: added ?? NOTHING } as const;
  return orError(request, page, 'consent_required');
}

/**
 * Whether the authorization details no longer match: a type, or the types that the client can request, have changed.
 */
function isOutdated({ request: { details }, client, places }: Situation): boolean {
  if (!details) return false;
  const types = client.authorization_details_types;
  return !areStillKnown(details, types, knownResources(places.resources));
}

const NOTHING: PlacedScopes = { scopes: [], at: [] };

/**
 * Whether the user has agreed that the client sends codes there. The client, or an administrator who can change it, adds
 * redirect URIs without asking its users.
 */
export function coversAddress(
  consent: Pick<Consented, 'redirectOrigins'> | undefined,
  redirectUri: string,
): boolean {
  return consent?.redirectOrigins.includes(redirectOriginOf(redirectUri)) ?? false;
}

/** What was not allowed earlier. Undefined: everything was. */
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
