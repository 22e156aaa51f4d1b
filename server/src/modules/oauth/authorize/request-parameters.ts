import { ACR_VALUES, type Acr } from '@keywright/contract/assurance';
import { matchesRedirectUri } from '../clients/index.ts';
import { USER_CLAIMS } from '../id-tokens/index.ts';
import {
  type AuthorizationRequest,
  PROMPTS,
  type Rejection,
  type RequestPolicy,
  RequestRejected,
  type RequestedClaims,
  type RequestingClient,
  type ResponseMode,
  type ResponseTarget,
  type Verdict,
  applyRules,
  invalidRequest,
} from './authorization-request.ts';
import {
  existingTargets,
  readAuthorizationDetails,
  readScopes,
  readTargets,
  withoutTenantAlone,
} from './request-scopes.ts';

export const MAX_LENGTHS = {
  state: 2048,
  nonce: 512,
  login_hint: 320,
  id_token_hint: 8192,
  ui_locales: 200,
};
const MAX_AGE_SECONDS = 10 ** 9;
const MAX_CLAIMS_LENGTH = 4096;
const MAX_CLAIMS = 32;

const PRINTABLE = /^[\x20-\x7e]*$/;
/** SHA-256 in base64url. */
const DIGEST = /^[A-Za-z0-9_-]{43}$/;
const LOCALE = /^[A-Za-z0-9-]{1,35}$/;

/** RFC 8707 §2: the only parameter that can occur more than once. */
const REPEATABLE = 'resource';

/** The parameters of a query or a form; a value can be a list. */
export function toParameters(fields: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      parameters.append(name, String(item));
    }
  }
  return parameters;
}

/** @returns the `client_id`; undefined if there is none, or more than one */
export function clientIdOf(parameters: URLSearchParams): string | undefined {
  const [clientId, ...others] = parameters.getAll('client_id');
  return others.length === 0 ? clientId : undefined;
}

/** A request whose redirect URI is trusted. */
interface RequestInput {
  readonly client: RequestingClient;
  readonly policy: RequestPolicy;
  readonly target: ResponseTarget;
  readonly resourceUris: readonly string[];
  readonly value: (name: string) => string | undefined;
}

/**
 * Checks whether a request can lead to a code (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1).
 * @param client the client that the request names, if it exists
 */
export function checkRequest(
  client: RequestingClient | undefined,
  policy: RequestPolicy,
  parameters: URLSearchParams,
): Verdict {
  if (!client?.is_active) return { kind: 'untrusted', reason: 'client_unknown' };
  const resourceUris = parameters.getAll(REPEATABLE);
  // Each lookup in URLSearchParams compares every name.
  const values = new Map(parameters);
  // RFC 6749 §3.1: parameters must not be repeated, and a parameter without a value is treated as absent.
  const isRepeated = parameters.size > values.size + Math.max(0, resourceUris.length - 1);
  if (isRepeated) return { kind: 'untrusted', reason: 'parameter_repeated' };
  const value = (name: string) => values.get(name) || undefined;
  // RFC 9700 §2.1.
  const redirectUri = value('redirect_uri') ?? '';
  const needsNone = policy.isInApp === true && redirectUri === '';
  if (!needsNone && !matchesRedirectUri(client.redirect_uris, client.kind, redirectUri)) {
    return { kind: 'untrusted', reason: 'redirect_uri_unknown' };
  }
  const target = responseTargetOf(client, redirectUri, value);
  const input = { client, policy, target, resourceUris, value };
  const request = applyRules(() => readRequest(input));
  return 'error' in request
    ? { kind: 'rejected', target, rejection: request }
    : { kind: 'valid', request };
}

/** The rules, in the order of their errors. Each rule throws if the request violates it. */
function readRequest(input: RequestInput): AuthorizationRequest {
  const { client, policy, target, value } = input;
  requireNoObjection(policy.objection); // RFC 9101, and the client's profile
  requirePushed(policy); // RFC 9126 §5
  requireSupportedParameters(value); // OpenID Connect Core §3.1.2.6
  requireResponseMode(value('response_mode')); // OAuth 2.0 Multiple Response Types §2.1, JARM §2.3
  requireResponseType(value('response_type')); // RFC 6749 §3.1.1
  requireReadableValues(value);
  const named = readTargets(input.resourceUris, policy); // RFC 8707 §2
  const { targets, details } = readAuthorizationDetails(input, named); // RFC 9396 §5
  const existing = existingTargets(targets, policy.resources);
  const scopes = readScopes(client, value('scope'), existing); // RFC 6749 §3.3
  const challenge = readCodeChallenge(input, scopes); // RFC 7636 §4.3, OAuth 2.1 §7.5.1
  const jkt = readDpopKey(value('dpop_jkt')); // RFC 9449 §10
  const prompts = readPrompts(value('prompt')); // OpenID Connect Core §3.1.2.1
  const maxAge = readMaxAge(value('max_age')); // OpenID Connect Core §3.1.2.1
  const { claims, essentialAcr } = readClaims(value('claims')); // OpenID Connect Core §5.5
  const acrValues = readAcrValues(value('acr_values'), essentialAcr); // OpenID Connect Core §5.5.1.1
  return {
    ...target,
    ...(policy.isInApp && { inApp: true }),
    clientId: client.id,
    scopes,
    targets: withoutTenantAlone(targets),
    ...(details && { details }),
    nonce: value('nonce'),
    challenge,
    ...(jkt !== undefined && { jkt }),
    prompts,
    // OpenID Connect Registration §2: the request overrides the client's default.
    maxAge: maxAge ?? client.default_max_age ?? undefined,
    acrValues,
    claims,
    loginHint: value('login_hint'),
    idTokenHint: value('id_token_hint'),
    uiLocales: localesIn(value('ui_locales')),
  };
}

function reject(rejection: Rejection): never {
  throw new RequestRejected(rejection);
}

/** A `state` that cannot be returned is omitted. */
function responseTargetOf(
  { id: clientId, id_token_signed_response_alg: algorithm }: RequestingClient,
  redirectUri: string,
  value: RequestInput['value'],
): ResponseTarget {
  const state = value('state');
  const isReturnable =
    state !== undefined && state.length <= MAX_LENGTHS.state && PRINTABLE.test(state);
  const { mode, isSigned } = findResponseMode(value('response_mode')) ?? QUERY;
  return {
    redirectUri,
    responseMode: mode,
    state: isReturnable ? state : undefined,
    ...(isSigned && { signedFor: { clientId, algorithm } }),
  };
}

function requireNoObjection(objection: Rejection | undefined): void {
  if (objection) reject(objection);
}

function requirePushed({ mustBePushed }: RequestPolicy): void {
  if (mustBePushed) reject(invalidRequest('The request must be pushed: RFC 9126.'));
}

function requireSupportedParameters(value: RequestInput['value']): void {
  const unsupported = (['request', 'request_uri', 'registration'] as const).find(
    (name) => value(name) !== undefined,
  );
  if (!unsupported) return;
  const error = `${unsupported}_not_supported` as const;
  reject({ error, description: `The parameter ${unsupported} is not supported.` });
}

function requireResponseMode(name: string | undefined): void {
  if (findResponseMode(name)) return;
  reject(invalidRequest(`response_mode must be one of ${RESPONSE_MODES.join(', ')}.`));
}

function requireResponseType(type: string | undefined): void {
  if (type === undefined) reject(invalidRequest('response_type is required.'));
  if (type === 'code') return;
  reject({ error: 'unsupported_response_type', description: 'response_type must be code.' });
}

function requireReadableValues(value: RequestInput['value']): void {
  for (const [name, maxLength] of Object.entries(MAX_LENGTHS)) {
    if ((value(name) ?? '').length > maxLength) reject(invalidRequest(`${name} is too long.`));
  }
  for (const name of ['state', 'nonce']) {
    const isPrintable = PRINTABLE.test(value(name) ?? '');
    if (!isPrintable) reject(invalidRequest(`${name} must be printable ASCII.`));
  }
}

/** RFC 9700 §2.1.1. A challenge binds the code even if the client could have omitted it. */
function readCodeChallenge(input: RequestInput, scopes: readonly string[]): string | undefined {
  const { value } = input;
  const challenge = value('code_challenge');
  const method = value('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) {
      reject(invalidRequest('code_challenge_method requires code_challenge.'));
    }
    requireMayOmitPkce(input, scopes);
    return undefined;
  }
  if (method !== 'S256') reject(invalidRequest('code_challenge_method must be S256.'));
  if (DIGEST.test(challenge)) return challenge;
  return reject(invalidRequest('code_challenge must be 43 characters of base64url.'));
}

/**
 * Requires that the client can omit PKCE. In a request for an ID token, the nonce of a confidential client also detects
 * an injected code (draft-ietf-oauth-v2-1 §7.5.1).
 */
function requireMayOmitPkce(
  { client, policy, value }: RequestInput,
  scopes: readonly string[],
): void {
  const isPublic = client.token_endpoint_auth_method === 'none';
  if (isPublic || policy.mustUsePkce || client.require_pkce === true) {
    reject(invalidRequest('code_challenge is required: PKCE, RFC 7636.'));
  }
  const hasNonce = scopes.includes('openid') && value('nonce') !== undefined;
  if (client.require_pkce === false || hasNonce) return;
  const description =
    'code_challenge is required (PKCE, RFC 7636), or the scope openid with a nonce (OAuth 2.1, section 7.5.1).';
  reject(invalidRequest(description));
}

function readDpopKey(jkt: string | undefined): string | undefined {
  if (jkt === undefined || DIGEST.test(jkt)) return jkt;
  return reject(invalidRequest('dpop_jkt must be 43 characters of base64url.'));
}

function readPrompts(parameter: string | undefined): AuthorizationRequest['prompts'] {
  const names = [...new Set((parameter ?? '').split(' ').filter(Boolean))];
  const prompts = PROMPTS.filter((prompt) => names.includes(prompt));
  if (prompts.length < names.length) reject(invalidRequest('prompt has an unknown value.'));
  if (!prompts.includes('none') || prompts.length === 1) return prompts;
  return reject(invalidRequest('prompt=none must be the only value.'));
}

function readMaxAge(parameter: string | undefined): number | undefined {
  if (parameter === undefined) return undefined;
  const seconds = Number(parameter);
  if (/^\d{1,10}$/.test(parameter) && seconds <= MAX_AGE_SECONDS) return seconds;
  return reject(invalidRequest('max_age must be a number of seconds.'));
}

/** Aliases for levels. OpenID Connect Core §2 defines no values. */
const ACR_ALIASES: ReadonlyMap<unknown, Acr> = new Map([
  ['1', 'aal1'],
  ['2', 'aal2'],
]);

/** Essential values take precedence over the voluntary ones of `acr_values`. */
function readAcrValues(
  parameter: string | undefined,
  essentialValues: readonly unknown[],
): readonly Acr[] {
  const essential = acrsIn(essentialValues);
  if (essentialValues.length > 0 && essential.length === 0) {
    const description = 'None of the essential acr values is supported.';
    reject({ error: 'unmet_authentication_requirements', description });
  }
  return essential.length > 0 ? essential : acrsIn((parameter ?? '').split(' '));
}

/** Unknown values are ignored. */
function acrsIn(values: readonly unknown[]): Acr[] {
  return values.flatMap(
    (value) => ACR_ALIASES.get(value) ?? ACR_VALUES.find((acr) => acr === value) ?? [],
  );
}

/** Claims that can be requested by name. Other claims are ignored (OpenID Connect Core §5.5). */
const REQUESTABLE_CLAIMS: readonly string[] = ['sub', 'auth_time', 'acr', 'amr', ...USER_CLAIMS];

interface ReadClaims {
  readonly claims: AuthorizationRequest['claims'];
  /** The requested values of the ID token's `acr`, if it is essential. */
  readonly essentialAcr: readonly unknown[];
}

const NO_CLAIMS: ReadClaims = { claims: { idToken: {}, userinfo: {} }, essentialAcr: [] };

function readClaims(parameter: string | undefined): ReadClaims {
  if (parameter === undefined) return NO_CLAIMS;
  const members = parameter.length <= MAX_CLAIMS_LENGTH ? parseObject(parameter) : undefined;
  const idToken = members && requestedClaimsIn(members['id_token']);
  const userinfo = members && requestedClaimsIn(members['userinfo']);
  if (!idToken || !userinfo) {
    return reject(invalidRequest('claims must be a JSON object of at most 4 KiB.'));
  }
  const essentialAcr = essentialAcrIn(members['id_token']);
  return { claims: { idToken, userinfo }, essentialAcr };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function requestedClaimsIn(part: unknown): RequestedClaims | undefined {
  if (part === undefined || part === null) return {};
  const members = asObject(part);
  if (!members || Object.keys(members).length > MAX_CLAIMS) return undefined;
  const names = REQUESTABLE_CLAIMS.filter((name) => Object.hasOwn(members, name));
  return Object.fromEntries(
    names.map((name) => [name, { essential: asObject(members[name])?.['essential'] === true }]),
  );
}

/** OpenID Connect Core §5.5.1.1. */
function essentialAcrIn(part: unknown): readonly unknown[] {
  const members = asObject(part);
  const acr = members && Object.hasOwn(members, 'acr') ? asObject(members['acr']) : undefined;
  if (acr?.['essential'] !== true) return [];
  const { value, values } = acr;
  const all = [value ?? [], Array.isArray(values) ? (values as unknown[]) : []].flat();
  return all.slice(0, MAX_CLAIMS);
}

function localesIn(parameter: string | undefined): string[] {
  return (parameter ?? '').split(' ').filter((locale) => LOCALE.test(locale));
}

/** How the response is delivered. */
interface Delivery {
  readonly mode: ResponseMode;
  /** Whether the response is a single JWT. */
  readonly isSigned: boolean;
}

const QUERY: Delivery = { mode: 'query', isSigned: false };
const SIGNED_QUERY: Delivery = { mode: 'query', isSigned: true };

/** Deliveries by `response_mode`. Modes with `jwt` are from JARM §2.3. */
const DELIVERIES: ReadonlyMap<string, Delivery> = new Map([
  ['query', QUERY],
  ['form_post', { mode: 'form_post', isSigned: false }],
  ['query.jwt', SIGNED_QUERY],
  ['form_post.jwt', { mode: 'form_post', isSigned: true }],
  ['jwt', SIGNED_QUERY],
]);

export const RESPONSE_MODES = [...DELIVERIES.keys()];

function findResponseMode(name = 'query'): Delivery | undefined {
  return DELIVERIES.get(name);
}
