import type { Fail } from '@keywright/contract/errors';
import { CLIENT_AUTHENTICATION } from '@keywright/contract/routes/client-authentication';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import { type Clients, flawsUnder, type KnownClient, profileOf } from '../clients/index.ts';
import { isPushedRequestUri, type PushedRequests, type PushedRequestUse } from '../codes/index.ts';
import { type ResourceDirectory, TenantResources } from '../resources/index.ts';
import { invalidRequest, type Rejection, type Verdict } from './authorization-request.ts';
import type { EffectiveRequest, RequestObjects } from './request-object.ts';
import { checkRequest, clientIdOf, toParameters } from './request-parameters.ts';

/** Parameters that authenticate the client, and are not part of its request. */
const AUTHENTICATION_PARAMETERS = Object.keys(CLIENT_AUTHENTICATION).filter(
  (name) => name !== 'client_id',
);

/** A request with its client and verdict. */
interface CheckedRequest {
  readonly client: KnownClient | undefined;
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
    const client = await this.#clients.known(tenant.id, clientId);
    const [uri = '', ...others] = parameters.getAll('request_uri');
    if (client?.is_active && others.length === 0 && isPushedRequestUri(uri)) {
      return this.#readPushed(tenant, client, uri);
    }
    const request = await this.#requestObjects.read(tenant, client, parameters);
    return { client, verdict: await this.check(tenant, client, request) };
  }

  /** RFC 9126 §4: all other parameters from the browser are ignored. */
  async #readPushed(tenant: Tenant, client: KnownClient, uri: string): Promise<CheckedRequest> {
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
    client: KnownClient,
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
    client: KnownClient | undefined,
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
  client: KnownClient | undefined,
  profile: KnownClient['profile'] | undefined,
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
    ? invalidRequest('The request has to be signed: RFC 9101.')
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
