import { type Acr, isFresh, ACR_VALUES } from '@keywright/contract/assurance';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import {
  intersectScopes,
  isCommonPermission,
  missingScopes,
  isOpenIdScope,
} from '@keywright/contract/scopes';
import { redirectOriginOf } from '../clients/index.ts';
import type { ConsentedResource } from '../grants/index.ts';
import {
  areStillRegistered,
  TenantResources,
  TENANT_RESOURCE,
  type Resource,
  type TargetId,
  scopesAt,
} from '../resources/index.ts';
import type {
  AuthorizationError,
  AuthorizationRequest,
  ExistingTargets,
  RequestingClient,
  Prompt,
} from './authorization-request.ts';

/** The browser's login. */
export interface CurrentLogin {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly authTime: Date;
  readonly acr: Acr;
  /** The user's current permissions. */
  readonly scopes: readonly string[];
}

/** The user's earlier consent to the client. */
export interface EarlierConsent {
  readonly scopes: readonly string[];
  /** The scopes at resources. */
  readonly at: readonly ConsentedResource[];
  /** The origins to which the user allows sending codes. */
  readonly redirectOrigins: readonly string[];
}

/** The actions of the user for this request. They are sealed with the request, so they cannot be forged. */
export interface UserActions {
  /** The session that a login for this request opened. */
  readonly login?: SessionId;
  /** The session that the user chose to continue with. */
  readonly selection?: SessionId;
  /** The session that the user consented in. */
  readonly consent?: SessionId;
}

interface DecisionInput {
  readonly request: AuthorizationRequest;
  readonly client: Pick<
    RequestingClient,
    'first_party' | 'kind' | 'authorization_details_types' | 'token_endpoint_auth_method'
  >;
  /** The targets of the requested access tokens. */
  readonly targets: ExistingTargets;
  /** Whether users who have already consented are asked again. */
  readonly consentPolicy: TenantConfig['oauth_consent'];
  readonly login: CurrentLogin | undefined;
  readonly consent: EarlierConsent | undefined;
  readonly done: UserActions;
  /** The user that the client expects (`id_token_hint`). */
  readonly expected: UserId | undefined;
  readonly now: Date;
}

/** The next step of a request. */
export type AuthorizationDecision =
  | { readonly kind: 'page'; readonly page: 'login' | 'register' | 'select_account' | 'confirm' }
  /** The scopes are everything that the consent covers; `added` are those that the user has not allowed before. */
  | ({
      readonly kind: 'page';
      readonly page: 'consent';
      readonly added: ScopesByTarget;
    } & ScopesByTarget)
  | { readonly kind: 'error'; readonly error: AuthorizationError }
  | ({ readonly kind: 'granted'; readonly session: CurrentLogin } & ScopesByTarget);

/** The input of a rule, for a logged-in user. */
interface RuleInput extends DecisionInput {
  readonly login: CurrentLogin;
  /** The requested scopes that the user can grant. */
  readonly grantable: ScopesByTarget;
}

/** @returns undefined if the request satisfies the rule */
type Rule = (input: RuleInput) => AuthorizationDecision | undefined;

/** The first rule that a request violates decides. */
const RULES: readonly Rule[] = [
  requireExpectedUser, // OpenID Connect Core §3.1.2.1: id_token_hint
  requireFreshLogin, // OpenID Connect Core §3.1.2.1: max_age, prompt=login
  requireAcr, // RFC 9470 §4
  requireAccountSelection, // OpenID Connect Core §3.1.2.1: prompt=select_account
  requireExistingTargets, // RFC 8707 §2
  requireCurrentDetails, // RFC 9396 §5
  requireGrantableScopes, // RFC 6749 §3.3
  requireConsent, // RFC 6749 §4.1, RFC 8628 §5.4, RFC 9396 §12
  requireConfirmation, // RFC 8252 §8.6
];

/** Decides by the browser's login, the user's consent and the client's requirements. */
export function decideAuthorization(input: DecisionInput): AuthorizationDecision {
  const { request, login, targets } = input;
  if (login === undefined) {
    const page = hasPrompt(request, 'create') ? 'register' : 'login';
    return showPage(request, { kind: 'page', page }, 'login_required');
  }
  const grantable = scopesByTarget(request.scopes, targets, login.scopes);
  const ruleInput = { ...input, login, grantable };
  for (const rule of RULES) {
    const decision = rule(ruleInput);
    if (decision) return decision;
  }
  return { kind: 'granted', session: login, ...grantable };
}

/** OpenID Connect Core §3.1.2.6: `prompt=none` shows no page, and the client gets the error. */
function showPage(
  request: AuthorizationRequest,
  page: AuthorizationDecision,
  error: AuthorizationError,
): AuthorizationDecision {
  return hasPrompt(request, 'none') ? { kind: 'error', error } : page;
}

const LOGIN_PAGE = { kind: 'page', page: 'login' } as const;

/** Whether the user logged in for this request. */
function isNewLogin({ done, login }: RuleInput): boolean {
  return done.login === login.sessionId;
}

function requireExpectedUser(input: RuleInput): AuthorizationDecision | undefined {
  const { expected, login, request } = input;
  if (expected === undefined || expected === login.userId) return undefined;
  // A different user logged in for this request.
  if (isNewLogin(input)) return { kind: 'error', error: 'login_required' };
  return showPage(request, LOGIN_PAGE, 'login_required');
}

function requireFreshLogin(input: RuleInput): AuthorizationDecision | undefined {
  const { request, login, now } = input;
  if (isNewLogin(input)) return undefined;
  const { maxAge } = request;
  // `max_age=0` requires a new login, even within the same second.
  const isTooOld = maxAge === 0 || !isFresh(factsOf(login), { maxAge }, secondsOf(now));
  const isPrompted = hasPrompt(request, 'login') || hasPrompt(request, 'create');
  if (!isTooOld && !isPrompted) return undefined;
  return showPage(request, LOGIN_PAGE, 'login_required');
}

function requireAcr(input: RuleInput): AuthorizationDecision | undefined {
  const { request, login, now } = input;
  const { acrValues } = request;
  const facts = factsOf(login);
  const isSufficient =
    acrValues.length === 0 || acrValues.some((acr) => isFresh(facts, { acr }, secondsOf(now)));
  if (isSufficient) return undefined;
  const error = 'unmet_authentication_requirements';
  // A further login could not be stronger than the one for this request.
  return isNewLogin(input) ? { kind: 'error', error } : showPage(request, LOGIN_PAGE, error);
}

function factsOf({ authTime, acr }: CurrentLogin) {
  return { auth_time: secondsOf(authTime), acr };
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** A login for this request also counts as an account selection. */
function requireAccountSelection(input: RuleInput): AuthorizationDecision | undefined {
  const { request, login, done } = input;
  const isSelected = done.selection === login.sessionId || isNewLogin(input);
  if (isSelected || !hasPrompt(request, 'select_account')) return undefined;
  return { kind: 'page', page: 'select_account' };
}

function requireExistingTargets({
  request,
  targets,
}: RuleInput): AuthorizationDecision | undefined {
  return lacksTarget(request.targets, targets)
    ? { kind: 'error', error: 'invalid_target' }
    : undefined;
}

/** The types of the authorization details might have changed, or the types that the client can request. */
function requireCurrentDetails({
  request: { details },
  client: { authorization_details_types: types },
  targets: { resources },
}: RuleInput): AuthorizationDecision | undefined {
  if (!details || areStillRegistered(details, types, new TenantResources(resources)))
    return undefined;
  return { kind: 'error', error: 'invalid_authorization_details' };
}

function requireGrantableScopes({ grantable }: RuleInput): AuthorizationDecision | undefined {
  return allScopes(grantable).length === 0 ? { kind: 'error', error: 'invalid_scope' } : undefined;
}

function requireConsent(input: RuleInput): AuthorizationDecision | undefined {
  const { request, client, login, consent, done, consentPolicy, grantable } = input;
  // RFC 8628 §5.4: another person might have started the login on the device.
  const isOfDevice = request.device !== undefined;
  if (client.first_party && !isOfDevice) return undefined;
  const added = scopesNotConsented(consent, grantable);
  // RFC 9396 §12: authorization details, such as a payment, are approved each time.
  const hasDetails = request.details !== undefined;
  const isRequired = hasPrompt(request, 'consent') || consentPolicy === 'always';
  const mustRepeat = isOfDevice || hasDetails || isRequired;
  const isMissing = mustRepeat && done.consent !== login.sessionId;
  const isRedirected = !isOfDevice && request.test === undefined;
  const isNewOrigin = isRedirected && !coversRedirectUri(consent, request.redirectUri);
  if (!added && !isMissing && !isNewOrigin) return undefined;
  const page = { kind: 'page', page: 'consent', ...grantable, added: added ?? NOTHING } as const;
  return showPage(request, page, 'consent_required');
}

const NOTHING: ScopesByTarget = { scopes: [], at: [] };

/**
 * Any program on the device can send this request in the name of a public client, and receive the code at the loopback
 * address or a custom scheme. Only a claimed https URL identifies the program; a DPoP key does not, because the sender
 * of the request chooses it. Any action of the user for this request is a confirmation. First-party browser apps use a
 * loopback address only in development, where they should behave as in production.
 */
function requireConfirmation({
  request,
  client,
  login: { sessionId },
  done,
}: RuleInput): AuthorizationDecision | undefined {
  const { redirectUri, device, inApp, test } = request;
  const isPublic = client.token_endpoint_auth_method === 'none';
  const isBrowserApp = client.kind === 'spa' && client.first_party;
  const isRedirected = !device && !inApp && test === undefined;
  const isLocal = isRedirected && new URL(redirectUri).protocol !== 'https:';
  const hasActed = [done.login, done.selection, done.consent].includes(sessionId);
  if (!isPublic || isBrowserApp || !isLocal || hasActed) return undefined;
  return showPage(request, { kind: 'page', page: 'confirm' }, 'interaction_required');
}

/**
 * Whether the user has agreed that codes are sent to this redirect URI. A client, or an administrator who can change
 * it, can add redirect URIs without asking its users.
 */
export function coversRedirectUri(
  consent: Pick<EarlierConsent, 'redirectOrigins'> | undefined,
  redirectUri: string,
): boolean {
  return consent?.redirectOrigins.includes(redirectOriginOf(redirectUri)) ?? false;
}

/** @returns the scopes that the user has not allowed before; undefined if all were allowed */
export function scopesNotConsented(
  consent: EarlierConsent | undefined,
  { scopes, at }: ScopesByTarget,
): ScopesByTarget | undefined {
  if (!consent) return { scopes, at };
  const further = at.flatMap(({ resource, scopes: requested }) => {
    const earlier = consent.at.find(({ resourceId }) => resourceId === resource.id);
    const missing = furtherScopes(requested, earlier?.scopes ?? []);
    return earlier && missing.length === 0 ? [] : [{ resource, scopes: missing }];
  });
  const atTenant = furtherScopes(scopes, consent.scopes);
  return atTenant.length === 0 && further.length === 0
    ? undefined
    : { scopes: atTenant, at: further };
}

export function hasPrompt({ prompts }: AuthorizationRequest, prompt: Prompt): boolean {
  return prompts.includes(prompt);
}

/** Scopes grouped by the target where they apply. */
export interface ScopesByTarget {
  /** OpenID Connect scopes, and permissions at the tenant itself. */
  readonly scopes: readonly string[];
  readonly at: readonly { readonly resource: Resource; readonly scopes: readonly string[] }[];
}

/** Whether a requested resource was deleted in the meantime. */
function lacksTarget(targets: readonly TargetId[], { resources }: ExistingTargets): boolean {
  return targets.filter((id) => id !== TENANT_RESOURCE).length > resources.length;
}

/**
 * Assigns the scopes to the targets that have them, for a user with these permissions. Other scopes are left out (RFC
 * 6749 §3.3).
 */
export function scopesByTarget(
  scopes: readonly string[],
  { includesTenant, resources }: ExistingTargets,
  permissions: readonly string[],
): ScopesByTarget {
  const atTenant = includesTenant
    ? intersectScopes(scopes.filter(isCommonPermission), permissions)
    : [];
  return {
    scopes: [...scopes.filter(isOpenIdScope), ...atTenant],
    at: resources.map((resource) => ({
      resource,
      scopes: scopesAt(resource, scopes, permissions),
    })),
  };
}

/** All scopes, regardless of their target. */
export function allScopes({ scopes, at }: ScopesByTarget): string[] {
  return [...new Set([...scopes, ...at.flatMap((target) => target.scopes)])];
}

/** The scopes that are not included in the earlier ones. */
function furtherScopes(scopes: readonly string[], earlier: readonly string[]): string[] {
  const named = scopes.filter((scope) => !isCommonPermission(scope) && !earlier.includes(scope));
  return [
    ...named,
    ...missingScopes(earlier.filter(isCommonPermission), scopes.filter(isCommonPermission)),
  ];
}

/** The weakest level that is sufficient. */
export function weakestOf(acrs: readonly Acr[]): Acr | undefined {
  return ACR_VALUES.find((acr) => acrs.includes(acr));
}
