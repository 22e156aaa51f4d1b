import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { AuthorizationParameters } from '@keywright/contract/routes/authorize';
import { CLIENT_AUTHENTICATION } from '@keywright/contract/routes/client-authentication';
import type { Clock } from '../../../platform/clock.ts';
import { parseJsonObject } from '../../../platform/crypto/jws.ts';
import {
  type OutsideToken,
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { type Tenant, WEAK_ALGORITHM } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import { timesFlaw } from '../../tokens/proofs/index.ts';
import {
  type Clients,
  type LoadedClient,
  flawsUnder,
  isFapi2Client,
  profileOf,
} from '../clients/index.ts';
import { type PushedRequestUse, type PushedRequests, isPushedRequestUri } from '../grants/index.ts';
import { type ResourceDirectory, TenantResources } from '../resources/index.ts';
import type { ClientSigningKeys } from '../token-endpoint/index.ts';
import { type Rejection, type Verdict, invalidRequest } from './authorization-request.ts';
import { checkRequest, clientIdOf, toParameters } from './request-parameters.ts';

/** Parameters that authenticate the client, and are not part of its request. */
const AUTHENTICATION_PARAMETERS = Object.keys(CLIENT_AUTHENTICATION).filter(
  (name) => name !== 'client_id',
);

/** A request with its client and verdict. */
interface CheckedRequest {
  readonly client: LoadedClient | undefined;
  readonly verdict: Verdict;
  /** The pushed request that is used up by the code, if there is one. */
  readonly pushed?: PushedRequestUse;
}

/** How a request reached the service. */
interface Channel {
  /** The client sent the request directly instead of through the browser. */
  readonly isPushed?: boolean;
  /** The user logs in inside the client's app, where PKCE is always required. */
  readonly isInApp?: boolean;
}

/** Reads authorization requests, and checks them against the rules of the client and the tenant. */
export class RequestReader {
  readonly #clients: Clients;
  readonly #resources: ResourceDirectory;
  readonly #pushedRequests: PushedRequests;
  readonly #requestObjects: RequestObjects;

  constructor(
    clients: Clients,
    resources: ResourceDirectory,
    pushedRequests: PushedRequests,
    requestObjects: RequestObjects,
  ) {
    this.#clients = clients;
    this.#resources = resources;
    this.#pushedRequests = pushedRequests;
    this.#requestObjects = requestObjects;
  }

  /** Reads the request from the parameters of a browser, which can refer to a pushed request. */
  async readFromBrowser(
    tenant: Tenant,
    parameters: URLSearchParams,
    from: Origin,
    fail: Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<CheckedRequest> {
    const clientId = clientIdOf(parameters) ?? '';
    const problem = await this.#clients.admit(tenant, clientId, from, fail);
    if (problem !== undefined) {
      const verdict = { kind: 'untrusted', reason: 'document_unusable', detail: problem } as const;
      return { client: undefined, verdict };
    }
    const client = await this.#clients.cached(tenant.id, clientId);
    const [uri = '', ...others] = parameters.getAll('request_uri');
    if (client?.is_active && others.length === 0 && isPushedRequestUri(uri)) {
      return this.#readPushed(tenant, client, uri);
    }
    const request = await this.#requestObjects.read(tenant, client, parameters);
    return { client, verdict: await this.check(tenant, client, request) };
  }

  /** RFC 9126 §4: all other parameters from the browser are ignored. */
  async #readPushed(tenant: Tenant, client: LoadedClient, uri: string): Promise<CheckedRequest> {
    const found = await this.#pushedRequests.find(tenant.id, client.id, uri);
    if (!found) return { client, verdict: { kind: 'untrusted', reason: 'request_uri_unknown' } };
    const { parameters, use: pushed } = found;
    // The signature was verified when the request was pushed.
    const request = { parameters, isSigned: true };
    return {
      client,
      verdict: await this.check(tenant, client, request, { isPushed: true }),
      pushed,
    };
  }

  /** Reads a request that the client sent directly, without the parameters that authenticate the client. */
  async readFromClient(
    tenant: Tenant,
    client: LoadedClient,
    body: object,
    key: ProvenKey | undefined,
    fail: DirectFail,
  ): Promise<EffectiveRequest> {
    const fields = toParameters({ ...body, client_id: client.id });
    for (const name of AUTHENTICATION_PARAMETERS) fields.delete(name);
    const request = await this.#requestObjects.read(tenant, client, fields);
    const { parameters } = request;
    if (!key) return request;
    // RFC 9449 §10.1: the parameter and the proof can occur together if they are for the same key.
    if ((parameters.get('dpop_jkt') ?? key.jkt) !== key.jkt) return failDirectly(OTHER_KEY, fail);
    parameters.set('dpop_jkt', key.jkt);
    return request;
  }

  /** Checks a parsed request. */
  async check(
    tenant: Tenant,
    client: LoadedClient | undefined,
    request: EffectiveRequest,
    { isPushed = false, isInApp = false }: Channel = {},
  ): Promise<Verdict> {
    const { parameters } = request;
    const namesTargets = parameters.has('resource') || parameters.has('authorization_details');
    const { oauth_require_pkce: allUsePkce, oauth_require_pushed_requests: allPush } =
      tenant.config;
    const profile = client && profileOf(tenant, client);
    const isStrict = profile === 'fapi2';
    const clientPushes = client?.require_pushed_authorization_requests === true || isStrict;
    const policy = {
      mustUsePkce: allUsePkce || isStrict || isInApp,
      tenant,
      // Most requests name no resource, and need no lookup here.
      resources: namesTargets ? await this.#resources.of(tenant.id) : new TenantResources([]),
      mustBePushed: !isPushed && (allPush || clientPushes),
      isInApp,
      objection: objectionTo(client, profile, request),
    };
    return checkRequest(client, policy, parameters);
  }
}

/** The objection to a request. A client that violates its profile gets the error before the user logs in. */
function objectionTo(
  client: LoadedClient | undefined,
  profile: LoadedClient['profile'] | undefined,
  { isSigned, objection }: EffectiveRequest,
): Rejection | undefined {
  const [flaw] = client && profile ? flawsUnder(profile, client) : [];
  if (flaw) {
    const description = `The registration of the client does not meet its profile: ${flaw.path} ${flaw.message}.`;
    return { error: 'unauthorized_client', description };
  }
  if (objection) return objection;
  // RFC 9101 §10.5.
  const mustBeSigned = client?.require_signed_request_object === true;
  return mustBeSigned && !isSigned
    ? invalidRequest('The request must be signed: RFC 9101.')
    : undefined;
}

/** The validation error for an unregistered redirect URI. */
export const UNREGISTERED_REDIRECT_URI = {
  errors: [{ path: '/redirect_uri', message: 'must be one of the redirect_uris of the client' }],
};

const OTHER_KEY: Rejection = {
  error: 'invalid_request',
  description: 'dpop_jkt is not the thumbprint of the key of the DPoP proof.',
};

/** The error codes of rejections in direct responses; other rejections are validation errors. */
const DIRECT_CODES = {
  unsupported_response_type: 'RESPONSE_TYPE_UNSUPPORTED',
  invalid_scope: 'SCOPE_INVALID',
  invalid_target: 'TARGET_INVALID',
  invalid_authorization_details: 'AUTHORIZATION_DETAILS_INVALID',
  invalid_request_object: 'REQUEST_OBJECT_INVALID',
  request_not_supported: 'REQUEST_OBJECT_INVALID',
  unmet_authentication_requirements: 'UNMET_AUTHENTICATION',
} as const;

export type DirectFail = Fail<
  (typeof DIRECT_CODES)[keyof typeof DIRECT_CODES] | 'VALIDATION_FAILED'
>;

/** Fails with the error response for a client that sent its request directly. */
export function failDirectly(
  { error, description: detail }: Partial<Rejection>,
  fail: DirectFail,
): never {
  const code = Object.entries(DIRECT_CODES).find(([name]) => name === error)?.[1];
  return fail(code ?? 'VALIDATION_FAILED', detail === undefined ? {} : { detail });
}

/** The maximum time until a request object expires. */
const MAX_LIFETIME_SECONDS = 3600;
/** RFC 9101 §10.8. Many clients do not set `typ`. */
const TYPES = ['jwt', 'oauth-authz-req+jwt'];
/** The parameters that are read from a request object. */
const PARAMETERS = Object.keys(AuthorizationParameters.properties).filter(
  (name) => !['client_id', 'request', 'request_uri', 'registration'].includes(name),
);
/** The parameters on which an error response depends. */
const RESPONSE_PARAMETERS = ['redirect_uri', 'state', 'response_mode'];
/** Parameters with JSON values, which can be objects in a request object. */
const JSON_PARAMETERS = ['claims', 'authorization_details'];

type Claims = Readonly<Record<string, unknown>>;

/** The effective parameters of a request: those of its request object, if it has one. */
export interface EffectiveRequest {
  readonly parameters: URLSearchParams;
  readonly isSigned: boolean;
  /** The error in the request object. */
  readonly objection?: Rejection;
}

/** Reads the request object of a request (RFC 9101 §6), which overrides all other parameters. */
export class RequestObjects {
  readonly #clock: Clock;
  readonly #clientKeys: ClientSigningKeys;

  constructor(clock: Clock, clientKeys: ClientSigningKeys) {
    this.#clock = clock;
    this.#clientKeys = clientKeys;
  }

  async read(
    tenant: Tenant,
    client: LoadedClient | undefined,
    parameters: URLSearchParams,
  ): Promise<EffectiveRequest> {
    const [object, ...others] = parameters.getAll('request');
    if (!client?.is_active || object === undefined || others.length > 0) {
      return { parameters, isSigned: false };
    }
    const token = parseOutsideToken(object);
    if (!token) {
      return objectRejected(parameters, object, isUnsigned(object) ? UNSIGNED : MALFORMED);
    }
    const read = readClaims(token, client, tenant, this.#clock.now());
    if ('flaw' in read) return objectRejected(parameters, object, flawed(read.flaw));
    const flaw = isFapi2Client(tenant, client) ? fapi2Flaw(token) : undefined;
    if (flaw) return objectRejected(parameters, object, flawed(flaw));
    // Verified last, because the key might have to be fetched.
    const { key } = await this.#clientKeys.find(tenant, client, token);
    if (!key || !outsideSignatureIsValid(token, key)) {
      return objectRejected(parameters, object, FORGED);
    }
    return { parameters: read.parameters, isSigned: true };
  }
}

/** Checks the client, issuer and time in the claims, but not the signature. @returns the parameters in the claims */
function readClaims(
  { typ, claims }: Pick<OutsideToken, 'typ' | 'claims'>,
  { id }: Pick<LoadedClient, 'id'>,
  { issuer }: Pick<Tenant, 'issuer'>,
  now: Date,
): { readonly parameters: URLSearchParams } | { readonly flaw: string } {
  const { iss, aud, sub, client_id: clientId } = claims;
  if (!TYPES.includes(typ)) return { flaw: 'typ' };
  if (clientId !== id) return { flaw: 'client_id' };
  if (iss !== id) return { flaw: 'iss' };
  // RFC 9101 §10.8: otherwise the object could be used as a client assertion.
  if (sub === id) return { flaw: 'sub' };
  if (![aud].flat().includes(issuer)) return { flaw: 'aud' };
  const flaw = timesFlaw(claims, now, MAX_LIFETIME_SECONDS);
  if (flaw) return { flaw };
  const nested = ['request', 'request_uri'].find((name) => Object.hasOwn(claims, name));
  if (nested !== undefined) return { flaw: nested };
  return parametersIn(claims, id);
}

/** FAPI 2.0 Message Signing §5.3.1. @returns the claim that violates the profile */
function fapi2Flaw({
  alg,
  claims: { nbf, exp },
}: Pick<OutsideToken, 'alg' | 'claims'>): string | undefined {
  if (alg === WEAK_ALGORITHM) return 'alg';
  if (typeof nbf !== 'number') return 'nbf';
  // exp is in the future, so this also limits the age of nbf.
  return Number(exp) > nbf + MAX_LIFETIME_SECONDS ? 'exp' : undefined;
}

function parametersIn(
  claims: Claims,
  id: string,
): { readonly parameters: URLSearchParams } | { readonly flaw: string } {
  const parameters = new URLSearchParams({ client_id: id });
  for (const name of PARAMETERS) {
    if (!Object.hasOwn(claims, name)) continue;
    const values = valuesOf(name, claims[name]);
    if (!values) return { flaw: name };
    for (const value of values) parameters.append(name, value);
  }
  return { parameters };
}

/** Converts the values to request parameters (RFC 9101 §4); undefined if a parameter cannot have its value. */
function valuesOf(name: string, value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (JSON_PARAMETERS.includes(name) && typeof value === 'object' && value !== null) {
    return [JSON.stringify(value)];
  }
  if (name !== 'resource' || !Array.isArray(value)) return undefined;
  return value.every((item) => typeof item === 'string') ? value : undefined;
}

const MALFORMED = flawed('form');
const FORGED: Rejection = {
  error: 'invalid_request_object',
  description: 'The request object is not signed by a key of the client.',
};
/** OpenID Connect Core §6.1 allows unsigned request objects, but this service rejects them. */
const UNSIGNED: Rejection = {
  error: 'request_not_supported',
  description: 'A request object must be signed: RFC 9101.',
};

function flawed(name: string): Rejection {
  return {
    error: 'invalid_request_object',
    description: `The request object is not from this client for this issuer: ${name}, RFC 9101. Clocks may differ by ${CLOCK_SKEW_SECONDS} seconds.`,
  };
}

function isUnsigned(object: string): boolean {
  const [header = ''] = object.split('.', 1);
  return parseJsonObject(header)?.['alg'] === 'none';
}

/**
 * Takes the parameters of the error response from the untrusted object: a registered redirect URI, the state and the
 * response mode. Anyone could send the same parameters without an object.
 */
function objectRejected(
  original: URLSearchParams,
  object: string,
  objection: Rejection,
): EffectiveRequest {
  const parameters = new URLSearchParams(original);
  parameters.delete('request');
  const [, payload = ''] = object.split('.', 2);
  const claims = parseJsonObject(payload) ?? {};
  for (const name of RESPONSE_PARAMETERS) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value === 'string' && !parameters.has(name)) parameters.set(name, value);
  }
  return { parameters, isSigned: false, objection };
}
