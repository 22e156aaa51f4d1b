import type { Fail } from '@keywright/contract/errors';
import type { BodyOf, ErrorsOf, OkOf } from '@keywright/contract/route';
import type { pushAuthorizationRequest } from '@keywright/contract/routes/pushed-requests';
import type { Clock } from '../../../platform/clock.ts';
import { Page, type SeeOther } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { type Wishes, chooseLocale } from '../../../platform/texts/locales.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress } from '../../authentication/attempts/index.ts';
import { startAgainView } from '../../branding/views/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { BrowserLogins } from '../../tokens/sessions/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { type Clients, type LoadedClient, requireOAuth } from '../clients/index.ts';
import type { PushedRequests } from '../grants/index.ts';
import {
  type ClientAuthentication,
  type ClientRequest,
  readClient,
} from '../token-endpoint/index.ts';
import type { AuthorizationContexts, Interaction, Interactions } from './interaction.ts';
import {
  type AuthorizationRequest,
  type Rejection,
  type ResponseTarget,
  type UntrustedReason,
  type Verdict,
  invalidRequest,
} from './authorization-request.ts';
import {
  type AuthorizationGrants,
  type AuthorizationResponder,
  addressResponse,
  isVettedClient,
} from './authorization-response.ts';
import { type RequestReader, UNREGISTERED_REDIRECT_URI, failDirectly } from './request-reader.ts';

/** An authorization request that a client sends through a browser. */
interface BrowserRequest {
  readonly parameters: URLSearchParams;
  readonly cookies: { readonly session?: string; readonly flow?: string };
  readonly from: Origin;
  readonly wishes: Wishes;
}

type EndpointFail = Fail<'REQUEST_INVALID' | 'OAUTH_OFF' | 'TOO_MANY_ATTEMPTS'>;
type EndpointReply = SeeOther<'flow'> | Page<'REQUEST_INVALID'>;

/** Explanations for the developers of the client, because the user cannot solve the problem. */
const ADVICE: Readonly<Record<UntrustedReason, string>> = {
  client_unknown: 'client_id must be the ID of an active client of this tenant.',
  document_unusable: 'client_id is the URL of a document that cannot be used.',
  redirect_uri_unknown:
    'redirect_uri must match one of the redirect_uris of the client, character by character.',
  parameter_repeated: 'A parameter was sent twice.',
  request_uri_unknown: 'request_uri must be one that this client pushed within the last minute.',
};

const UNKNOWN_HINT = invalidRequest('id_token_hint is not an ID token of this client.');

/** The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2). */
export class AuthorizationEndpoint {
  readonly #clock: Clock;
  readonly #reader: RequestReader;
  readonly #contexts: AuthorizationContexts;
  readonly #grants: AuthorizationGrants;
  readonly #responder: AuthorizationResponder;
  readonly #interactions: Interactions;
  readonly #browserLogins: BrowserLogins;
  readonly #jwts: ApplicationJwts;

  constructor(
    clock: Clock,
    reader: RequestReader,
    contexts: AuthorizationContexts,
    grants: AuthorizationGrants,
    responder: AuthorizationResponder,
    interactions: Interactions,
    browserLogins: BrowserLogins,
    jwts: ApplicationJwts,
  ) {
    this.#clock = clock;
    this.#reader = reader;
    this.#contexts = contexts;
    this.#grants = grants;
    this.#responder = responder;
    this.#interactions = interactions;
    this.#browserLogins = browserLogins;
    this.#jwts = jwts;
  }

  /** Responds to the client if no page is needed. Otherwise redirects the browser to the first page. */
  async authorize(
    tenant: Tenant,
    browserRequest: BrowserRequest,
    fail: EndpointFail,
  ): Promise<EndpointReply> {
    requireOAuth(tenant, fail);
    const { parameters, cookies, from, wishes } = browserRequest;
    // RFC 6749 §4.1.1, RFC 9101, RFC 9126: see request-reader.ts, and the parameter rules in request-parameters.ts.
    const { client, verdict, pushed } = await this.#reader.readFromBrowser(
      tenant,
      parameters,
      from,
      fail,
    );
    // RFC 6749 §4.1.2.1: the browser is not redirected to an untrusted address.
    if (verdict.kind === 'untrusted') {
      return this.#showUntrusted(tenant, client, verdict, browserRequest, fail);
    }
    if (verdict.kind === 'rejected') {
      return this.#reject(tenant, client, verdict.target, verdict.rejection, browserRequest);
    }
    const { request } = verdict;
    // OpenID Connect Core §3.1.2.1: id_token_hint.
    const expected = await this.#readIdTokenHint(tenant, request);
    if (expected === 'invalid') {
      return this.#reject(tenant, client, request, UNKNOWN_HINT, browserRequest);
    }
    const interaction: Interaction = {
      request: { ...request, idTokenHint: undefined, ...(pushed && { pushed }) },
      ...(expected && { expected: expected.subject }),
      done: {},
    };
    // The rules are in authorization-decision.ts.
    const context =
      (await this.#contexts.load(tenant, interaction, cookies.session, client)) ??
      fail('REQUEST_INVALID');
    // The client has changed, so the verdict might be outdated.
    if (context.client.version !== client?.version) {
      return this.authorize(tenant, browserRequest, fail);
    }
    const { decision, login } = context;
    if (decision.kind === 'error') {
      return this.#responder.redirect(tenant, addressResponse(context, decision), wishes);
    }
    if (decision.kind === 'granted' && login) {
      const response = await this.#grants.issueCode(context, login, from);
      return this.#responder.redirect(tenant, addressResponse(context, response), wishes);
    }
    return this.#interactions.start(tenant, cookies.flow, interaction);
  }

  /** @returns the subject of an ID token of this client, even an expired one; undefined without a hint */
  async #readIdTokenHint(
    tenant: Tenant,
    { clientId, idTokenHint }: AuthorizationRequest,
  ): Promise<{ readonly subject: string } | 'invalid' | undefined> {
    if (!idTokenHint) return undefined;
    const expected = { kind: 'ID token', allowExpired: true, retiredToo: true } as const;
    const claims = await this.#jwts.verify(tenant, idTokenHint, expected);
    const subject = claims?.['aud'] === clientId ? claims['sub'] : undefined;
    return typeof subject === 'string' && subject !== '' ? { subject } : 'invalid';
  }

  /** Reports an error to the client before the user is known. */
  async #reject(
    tenant: Tenant,
    client: LoadedClient | undefined,
    target: ResponseTarget,
    response: Rejection,
    { cookies, wishes }: BrowserRequest,
  ): Promise<EndpointReply> {
    const isVetted = await this.#isVetted(tenant, client, target.redirectUri, cookies.session);
    return this.#responder.redirect(tenant, { target, response, isVetted }, wishes);
  }

  /** OpenID Connect Core §4: links to the client's login page, if the client has registered one. */
  async #showUntrusted(
    tenant: Tenant,
    client: LoadedClient | undefined,
    { reason, detail: problem = '' }: Extract<Verdict, { kind: 'untrusted' }>,
    { cookies, wishes }: BrowserRequest,
    fail: EndpointFail,
  ): Promise<Page<'REQUEST_INVALID'>> {
    const detail = `${ADVICE[reason]} ${problem}`.trim();
    const { is_active: isActive, initiate_login_uri: loginUri } = client ?? {};
    if (!isActive || !loginUri) return fail('REQUEST_INVALID', { detail, internal: reason });
    const to = new URL(loginUri);
    to.searchParams.set('iss', tenant.issuer);
    const [texts, isVetted] = await Promise.all([
      loadTexts(chooseLocale(wishes)),
      this.#isVetted(tenant, client, loginUri, cookies.session),
    ]);
    const html = startAgainView({ to, isVetted, detail, texts });
    return new Page(html, { refusal: 'REQUEST_INVALID' });
  }

  async #isVetted(
    tenant: Tenant,
    client: LoadedClient | undefined,
    redirectUri: string,
    sessionCookie: string | undefined,
  ): Promise<boolean> {
    if (!client) return false;
    if (isVettedClient(client, undefined, redirectUri)) return true;
    const now = this.#clock.now();
    const login = await this.#browserLogins.find(tenant, sessionCookie, client.id, now);
    return isVettedClient(client, login?.consent, redirectUri);
  }
}

/** The maximum length of a form-encoded request. */
const MAX_LENGTH = 16_384;

/** Limits requests in the name of public clients, which anyone can push because these clients do not authenticate. */
export const PUBLIC_CLIENT_LIMITS = { login_attempts_limit: 300, login_attempts_window: 60 };

/** RFC 9126 §2.1. */
const HAS_REFERENCE = invalidRequest('A pushed request must not contain request_uri.');
const TOO_LONG = invalidRequest('The request is longer than 16 KiB.');

type PushFail = Fail<ErrorsOf<typeof pushAuthorizationRequest>>;
type PushResponse = OkOf<typeof pushAuthorizationRequest>;

interface PushRequest extends ClientRequest<BodyOf<typeof pushAuthorizationRequest>> {
  /** The key to which the code is bound. */
  readonly key: ProvenKey | undefined;
}

/** The pushed authorization request endpoint (RFC 9126 §2). */
export class PushedRequestEndpoint {
  readonly #core: { readonly gate: Gate; readonly clock: Clock };
  readonly #authentication: ClientAuthentication;
  readonly #clients: Clients;
  readonly #reader: RequestReader;
  readonly #pushedRequests: PushedRequests;

  constructor(
    core: { readonly gate: Gate; readonly clock: Clock },
    authentication: ClientAuthentication,
    clients: Clients,
    reader: RequestReader,
    pushedRequests: PushedRequests,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#clients = clients;
    this.#reader = reader;
    this.#pushedRequests = pushedRequests;
  }

  async push(request: PushRequest, fail: PushFail): Promise<PushResponse> {
    if (request.parameters.request_uri !== undefined) return failDirectly(HAS_REFERENCE, fail);
    await admitClient(this.#clients, request, fail);
    return this.#authentication.withIdentifiedClient(request, fail, (client) =>
      this.#pushFor(request, client, fail),
    );
  }

  /** @returns `stale` if the client has changed since it was authenticated */
  async #pushFor(
    { tenant, parameters: body, from, key }: PushRequest,
    client: LoadedClient,
    fail: PushFail,
  ): Promise<PushResponse | 'stale'> {
    if (client.token_endpoint_auth_method === 'none') {
      const limit = { counter: 'push' as const, limits: PUBLIC_CLIENT_LIMITS };
      await requireRoomOfAddress(this.#core, tenant, from, limit, fail);
    }
    const request = await this.#reader.readFromClient(tenant, client, body, key, fail);
    const verdict = await this.#reader.check(tenant, client, request, { isPushed: true });
    const form = request.parameters.toString();
    if (verdict.kind === 'valid' && form.length <= MAX_LENGTH) {
      await key?.requireUnused(fail);
      const pushed = await this.#pushedRequests.push(tenant.id, client, form);
      return pushed
        ? { request_uri: pushed.requestUri, expires_in: pushed.expiresInSeconds }
        : 'stale';
    }
    if (!(await this.#clients.isCurrent(client))) return 'stale';
    if (verdict.kind === 'untrusted') return fail('VALIDATION_FAILED', UNREGISTERED_REDIRECT_URI);
    return failDirectly(verdict.kind === 'rejected' ? verdict.rejection : TOO_LONG, fail);
  }
}

/** Reads the metadata document of a client that is identified by it, before the client authenticates. */
export async function admitClient(
  clients: Clients,
  { tenant, parameters, authorization, from }: ClientRequest,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const { clientId } = readClient(parameters, authorization, fail);
  const detail = await clients.admit(tenant, clientId, from, fail);
  if (detail !== undefined) fail('CLIENT_INVALID', { detail });
}
