import { ACR_VALUES, type Acr } from '@keywright/contract/assurance';
import { USER_CLAIMS } from '../id-tokens/index.ts';
import { isRegistered } from '../clients/index.ts';
import {
  type AuthorizationRequest,
  PROMPTS,
  type Prompt,
  type Rejection,
  type ReplyTo,
  type RequestingClient,
  type RequestPolicy,
  type Verdict,
  invalid,
  type WantedClaims,
  type ResponseMode,
} from './authorization-request.ts';
import { placesIn, readScopes, readTargets, withoutOwn, readParticular } from './request-scopes.ts';

/** As sent: `resource` can occur several times. */
export function parametersOf(sent: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(sent)) {
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters;
}

const LONGEST = { state: 2048, nonce: 512, login_hint: 320, id_token_hint: 8192, ui_locales: 200 };

const PRINTABLE = /^[\x20-\x7e]*$/;
/** SHA-256 in base64url. */
const DIGEST = /^[A-Za-z0-9_-]{43}$/;
const LOCALE = /^[A-Za-z0-9-]{1,35}$/;

/** RFC 8707 §2 allows several. */
const REPEATABLE = 'resource';

/** The client that a request names; undefined if it names none or two. */
export function clientNamedIn(parameters: URLSearchParams): string | undefined {
  const [name, ...others] = parameters.getAll('client_id');
  return others.length === 0 ? name : undefined;
}

/**
 * Whether a request can lead to a code (RFC 6749 §4.1.1, RFC 7636, OpenID Connect Core §3.1.2.1).
 * @param client that the request names; undefined if there is no such client
 */
export function judgeRequest(
  client: RequestingClient | undefined,
  policy: RequestPolicy,
  parameters: URLSearchParams,
): Verdict {
  if (!client?.is_active) return { kind: 'page', reason: 'client_unknown' };
  const uris = parameters.getAll(REPEATABLE);
  // Each look-up in URLSearchParams would compare every name.
  const values = new Map(parameters);
  // RFC 6749 §3.1.
  const isRepeated = parameters.size > values.size + Math.max(0, uris.length - 1);
  if (isRepeated) return { kind: 'page', reason: 'parameter_repeated' };
  // RFC 6749 §3.1: a parameter without a value is treated as absent.
  const value = (name: string) => values.get(name) || undefined;
  const redirectUri = value('redirect_uri') ?? '';
  const isNowhere = policy.isInApp === true && redirectUri === '';
  if (!isNowhere && !isRegistered(client.redirect_uris, client.kind, redirectUri)) {
    return { kind: 'page', reason: 'redirect_uri_unknown' };
  }
  const to = replyTo(client, redirectUri, value);
  const request = readRequest({ client, policy, to, value }, uris);
  return 'error' in request
    ? { kind: 'rejected', to, rejection: request }
    : { kind: 'sound', request };
}

interface Given {
  readonly client: RequestingClient;
  readonly policy: RequestPolicy;
  readonly to: ReplyTo;
  readonly value: (name: string) => string | undefined;
}

/** A state that cannot be returned is omitted. */
function replyTo(
  { id: clientId, id_token_signed_response_alg: algorithm }: RequestingClient,
  redirectUri: string,
  value: Given['value'],
): ReplyTo {
  const state = value('state');
  const isReturned = state !== undefined && isShort('state', state) && PRINTABLE.test(state);
  const { mode, isSigned } = modeNamed(value('response_mode')) ?? PLAIN;
  return {
    redirectUri,
    responseMode: mode,
    state: isReturned ? state : undefined,
    ...(isSigned && { signedFor: { clientId, algorithm } }),
  };
}

function isShort(name: keyof typeof LONGEST, value: string): boolean {
  return value.length <= LONGEST[name];
}

function readRequest(given: Given, uris: readonly string[]): AuthorizationRequest | Rejection {
  const { policy } = given;
  const named = readTargets(uris, policy.tenant, policy.resources);
  const particular = readParticular(given, named);
  const targets = 'error' in particular ? named : particular.targets;
  const scopes = readScopes(
    given.client,
    given.value('scope'),
    placesIn(targets, policy.resources),
  );
  const parts = {
    form: objectionToForm(given),
    pkce: readPkce(given, 'error' in scopes ? [] : scopes.scopes),
    key: readKey(given.value('dpop_jkt')),
    prompts: readPrompts(given.value('prompt')),
    demands: readDemands(given.value),
  };
  const { form, pkce, key, prompts, demands } = parts;
  if (form) return form;
  if ('error' in targets) return targets;
  if ('error' in particular) return particular;
  if ('error' in scopes) return scopes;
  if ('error' in pkce) return pkce;
  if ('error' in key) return key;
  if ('error' in prompts) return prompts;
  if ('error' in demands) return demands;
  const { value, client, to } = given;
  return {
    ...to,
    ...(policy.isInApp && { inApp: true }),
    clientId: client.id,
    ...scopes,
    targets: withoutOwn(targets),
    ...(particular.details && { details: particular.details }),
    nonce: value('nonce'),
    ...pkce,
    ...key,
    ...prompts,
    ...demands,
    // OpenID Connect Registration §2: the request takes precedence.
    maxAge: demands.maxAge ?? client.default_max_age ?? undefined,
    loginHint: value('login_hint'),
    idTokenHint: value('id_token_hint'),
    uiLocales: localesIn(value('ui_locales')),
  };
}

function objectionToForm({ value, policy }: Given): Rejection | undefined {
  if (policy.objection) return policy.objection;
  if (policy.mustBePushed) return invalid('The request has to be pushed: RFC 9126.');
  const unsupported = (['request', 'request_uri', 'registration'] as const).find(
    (name) => value(name) !== undefined,
  );
  if (unsupported) {
    const error = `${unsupported}_not_supported` as const;
    return { error, description: `The parameter ${unsupported} is not supported.` };
  }
  if (!modeNamed(value('response_mode'))) {
    return invalid(`response_mode must be one of ${RESPONSE_MODES.join(', ')}.`);
  }
  const type = value('response_type');
  if (type === undefined) return invalid('response_type is required.');
  if (type !== 'code') {
    const description = 'response_type must be code.';
    return { error: 'unsupported_response_type', description };
  }
  const long = (Object.keys(LONGEST) as (keyof typeof LONGEST)[]).find(
    (name) => !isShort(name, value(name) ?? ''),
  );
  if (long) return invalid(`${long} is too long.`);
  const odd = (['state', 'nonce'] as const).find((name) => !PRINTABLE.test(value(name) ?? ''));
  return odd && invalid(`${odd} must be printable ASCII.`);
}

/** RFC 7636 §4.3, RFC 9700 §2.1.1. A challenge binds the code, even if the client can omit it. */
function readPkce(
  given: Given,
  scopes: readonly string[],
): Pick<AuthorizationRequest, 'challenge'> | Rejection {
  const { value } = given;
  const challenge = value('code_challenge');
  const method = value('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) return invalid('code_challenge_method came without code_challenge.');
    return objectionToNoPkce(given, scopes) ?? { challenge };
  }
  if (method !== 'S256') return invalid('code_challenge_method must be S256.');
  return DIGEST.test(challenge)
    ? { challenge }
    : invalid('code_challenge must be 43 characters of base64url.');
}

/**
 * Whether the client must use PKCE. In a request for an ID token, the nonce of a confidential client also detects an
 * injected code: draft-ietf-oauth-v2-1 §7.5.1.
 */
function objectionToNoPkce(
  { client, policy, value }: Given,
  scopes: readonly string[],
): Rejection | undefined {
  const isPublic = client.token_endpoint_auth_method === 'none';
  if (isPublic || policy.mustUsePkce || client.require_pkce === true) {
    return invalid('code_challenge is required: PKCE, RFC 7636.');
  }
  const hasNonce = scopes.includes('openid') && value('nonce') !== undefined;
  if (client.require_pkce === false || hasNonce) return undefined;
  return invalid(
    'code_challenge is required (PKCE, RFC 7636), or the scope openid with a nonce (OAuth 2.1, section 7.5.1).',
  );
}

/** RFC 9449 §10. */
function readKey(jkt: string | undefined): Pick<AuthorizationRequest, 'jkt'> | Rejection {
  if (jkt === undefined) return {};
  return DIGEST.test(jkt) ? { jkt } : invalid('dpop_jkt must be 43 characters of base64url.');
}

function readPrompts(given: string | undefined): Pick<AuthorizationRequest, 'prompts'> | Rejection {
  const asked = [...new Set((given ?? '').split(' ').filter(Boolean))];
  const prompts = PROMPTS.filter((prompt) => asked.includes(prompt));
  if (prompts.length < asked.length) return invalid('prompt has an unknown value.');
  const isAlone = !prompts.includes('none') || prompts.length === 1;
  return isAlone ? { prompts } : invalid('prompt=none must be the only value.');
}

function localesIn(text: string | undefined): string[] {
  return (text ?? '').split(' ').filter((one) => LOCALE.test(one));
}

export function hasPrompt({ prompts }: AuthorizationRequest, prompt: Prompt): boolean {
  return prompts.includes(prompt);
}

const LONGEST_AGE = 10 ** 9;

/** Accepted aliases (OpenID Connect Core §2 defines no values). */
const OTHER_NAMES: ReadonlyMap<unknown, Acr> = new Map([
  ['1', 'aal1'],
  ['2', 'aal2'],
]);

/** How and when the user must have authenticated, and which claims the client requests. */
function readDemands(
  value: (name: string) => string | undefined,
): Pick<AuthorizationRequest, 'maxAge' | 'acrValues' | 'claims'> | Rejection {
  const age = value('max_age');
  const maxAge = age === undefined ? undefined : Number(age);
  if (age !== undefined && (!/^\d{1,10}$/.test(age) || Number(age) > LONGEST_AGE)) {
    return invalid('max_age must be a number of seconds.');
  }
  const asked = readClaimsParameter(value('claims'));
  if (!asked) return invalid('claims must be a JSON object of at most 4 KiB.');
  const { claims, essentialAcr } = asked;
  const essential = acrsIn(essentialAcr);
  if (essentialAcr.length > 0 && essential.length === 0) {
    const description = 'None of the essential values of acr is known.';
    return { error: 'unmet_authentication_requirements', description };
  }
  const voluntary = acrsIn((value('acr_values') ?? '').split(' '));
  return { maxAge, acrValues: essential.length > 0 ? essential : voluntary, claims };
}

/** Unknown ones are left out. */
function acrsIn(names: readonly unknown[]): Acr[] {
  return names.flatMap((name) => {
    const acr = OTHER_NAMES.get(name) ?? ACR_VALUES.find((one) => one === name);
    return acr ?? [];
  });
}

/** The weakest level that is sufficient. */
export function weakestOf(acrs: readonly Acr[]): Acr | undefined {
  return ACR_VALUES.find((acr) => acrs.includes(acr));
}

/** Claims that can be requested by name. Others are ignored (OpenID Connect Core §5.5). */
const ASKABLE: readonly string[] = ['sub', 'auth_time', 'acr', 'amr', ...USER_CLAIMS];

const MAX_CLAIMS_LENGTH = 4096;
const MAX_CLAIMS = 32;

interface RequestedClaims {
  readonly claims: AuthorizationRequest['claims'];
  /** Of `acr` of the ID token, if it is essential. */
  readonly essentialAcr: readonly unknown[];
}

const NOTHING: RequestedClaims = { claims: { idToken: {}, userinfo: {} }, essentialAcr: [] };

/** The `claims` parameter (OpenID Connect Core §5.5). Undefined: it is invalid. */
function readClaimsParameter(text: string | undefined): RequestedClaims | undefined {
  if (text === undefined) return NOTHING;
  const asked = text.length <= MAX_CLAIMS_LENGTH ? objectIn(text) : undefined;
  if (!asked) return undefined;
  const idToken = wantedOf(asked['id_token']);
  const userinfo = wantedOf(asked['userinfo']);
  if (!idToken || !userinfo) return undefined;
  return { claims: { idToken, userinfo }, essentialAcr: essentialValuesOf(asked['id_token']) };
}

function objectIn(text: string): Record<string, unknown> | undefined {
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

function wantedOf(part: unknown): WantedClaims | undefined {
  if (part === undefined || part === null) return {};
  const members = asObject(part);
  if (!members || Object.keys(members).length > MAX_CLAIMS) return undefined;
  const known = ASKABLE.filter((name) => Object.hasOwn(members, name));
  return Object.fromEntries(
    known.map((name) => [name, { essential: asObject(members[name])?.['essential'] === true }]),
  );
}

/** OpenID Connect Core §5.5.1.1. */
function essentialValuesOf(part: unknown): readonly unknown[] {
  const members = asObject(part);
  const acr = members && Object.hasOwn(members, 'acr') ? asObject(members['acr']) : undefined;
  if (acr?.['essential'] !== true) return [];
  const { value, values } = acr;
  return [value ?? [], Array.isArray(values) ? (values as unknown[]) : []]
    .flat()
    .slice(0, MAX_CLAIMS);
}

/** How the response is sent to a client. */
interface Mode {
  readonly mode: ResponseMode;
  /** As one JWT. */
  readonly isSigned: boolean;
}

const PLAIN: Mode = { mode: 'query', isSigned: false };
const SIGNED: Mode = { mode: 'query', isSigned: true };

/** By `response_mode`; those with `jwt` are of JARM §2.3. */
const MODES: ReadonlyMap<string, Mode> = new Map([
  ['query', PLAIN],
  ['form_post', { mode: 'form_post', isSigned: false }],
  ['query.jwt', SIGNED],
  ['form_post.jwt', { mode: 'form_post', isSigned: true }],
  ['jwt', SIGNED],
]);

export const RESPONSE_MODES = [...MODES.keys()];

/** Undefined for an unknown one. */
function modeNamed(name = 'query'): Mode | undefined {
  return MODES.get(name);
}
