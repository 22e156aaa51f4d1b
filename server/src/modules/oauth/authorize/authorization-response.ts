import { AppError, type ErrorCode, type Fail } from '@keywright/contract/errors';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { type Wishes, chooseLocale } from '../../../platform/texts/locales.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { formPostView, redirectView, stoppedView } from '../../branding/views/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { type Clients, type LoadedClient, redirectOriginOf } from '../clients/index.ts';
import { type AuthorizationCodes, type PushedRequests, grantConsent } from '../grants/index.ts';
import type { AuthorizationContext } from './interaction.ts';
import {
  type EarlierConsent,
  coversRedirectUri,
  scopesNotConsented,
  type ScopesByTarget,
  allScopes,
} from './authorization-decision.ts';
import type { AuthorizationError, ResponseTarget } from './authorization-request.ts';

/** JARM §2.1 recommends at most ten minutes. */
const LIFETIME_SECONDS = 600;

interface ErrorResponse {
  readonly error: AuthorizationError;
  readonly description?: string;
}

/** The response to a client (RFC 6749 §4.1.2). */
export type AuthorizationResponse = { readonly code: string } | ErrorResponse;

/** A response with its destination. */
interface AddressedResponse {
  readonly target: ResponseTarget;
  readonly response: AuthorizationResponse;
  /** Whether browsers are redirected to the client automatically. */
  readonly isVetted: boolean;
}

/**
 * Whether the browser can be redirected to the client automatically. Anyone can register a client, and use an error to
 * redirect users from our address to theirs (RFC 9700 §4.11.2). Unless an administrator created the client, or the user
 * has authorized it at that address, our page names the client's host and the user decides.
 */
export function isVettedClient(
  { created_by: by }: Pick<LoadedClient, 'created_by'>,
  consent: Pick<EarlierConsent, 'redirectOrigins'> | undefined,
  redirectUri: string,
): boolean {
  return by === 'admin' || coversRedirectUri(consent, redirectUri);
}

/** Addresses a response to the client that made the request. */
export function addressResponse(
  { interaction: { request }, client, consent }: AuthorizationContext,
  response: AuthorizationResponse,
): AddressedResponse {
  const isVetted = isVettedClient(client, consent, request.redirectUri);
  return { target: request, response, isVetted };
}

/** Delivers responses to clients, in the requested response mode. */
export class AuthorizationResponder {
  readonly #clock: Clock;
  readonly #jwts: ApplicationJwts;

  constructor(clock: Clock, jwts: ApplicationJwts) {
    this.#clock = clock;
    this.#jwts = jwts;
  }

  /** Redirects the browser to the client if possible. Otherwise responds with a page. */
  async redirect(
    tenant: Tenant,
    addressed: AddressedResponse,
    wishes: Wishes,
  ): Promise<SeeOther | Page<'REQUEST_INVALID'>> {
    const { target, response, isVetted } = addressed;
    const isStopped = !isVetted && 'error' in response;
    if (target.responseMode === 'query' && !isStopped) {
      const parameters = await this.#parametersOf(tenant, target, response);
      return new SeeOther(redirectUrl(target.redirectUri, parameters));
    }
    const texts = await loadTexts(chooseLocale(wishes));
    const { html, formTarget } = await this.page(tenant, addressed, texts);
    const options = formTarget && { formTarget };
    return new Page(html, { ...options, ...(isStopped && { refusal: 'REQUEST_INVALID' }) });
  }

  /** Responds to a page's form with a page that leads to the client. */
  async page(
    tenant: Tenant,
    { target, response, isVetted }: AddressedResponse,
    texts: Texts,
  ): Promise<Page> {
    const parameters = await this.#parametersOf(tenant, target, response);
    if (!isVetted && 'error' in response) return stoppedPage(target, response, parameters, texts);
    if (target.responseMode === 'query') {
      return new Page(redirectView(redirectUrl(target.redirectUri, parameters), texts));
    }
    const formTarget = new URL(target.redirectUri);
    return new Page(formPostView(formTarget, parameters, texts), { formTarget });
  }

  /** Puts the parameters into a single JWT if the client requests a signed response (JARM §2.1). */
  async #parametersOf(
    { id, issuer }: Tenant,
    target: ResponseTarget,
    response: AuthorizationResponse,
  ): Promise<ReadonlyMap<string, string>> {
    const parameters = responseParameters(target, response, issuer);
    if (!target.signedFor) return parameters;
    const { clientId: aud, algorithm: alg } = target.signedFor;
    const exp = epochSeconds(this.#clock.now()) + LIFETIME_SECONDS;
    const claims = { ...Object.fromEntries(parameters), iss: issuer, aud, exp };
    return new Map([['response', await this.#jwts.sign(id, { alg, typ: 'JWT', claims })]]);
  }
}

/** Shows the error, with a link for users who know its destination. */
function stoppedPage(
  { redirectUri, responseMode }: ResponseTarget,
  { error, description }: ErrorResponse,
  parameters: ReadonlyMap<string, string>,
  texts: Texts,
): Page {
  const detail = description === undefined ? error : `${error}: ${description}`;
  if (responseMode === 'query') {
    return new Page(stoppedView({ to: redirectUrl(redirectUri, parameters), detail, texts }));
  }
  const formTarget = new URL(redirectUri);
  const html = stoppedView({ to: formTarget, fields: parameters, detail, texts });
  return new Page(html, { formTarget });
}

/** The parameters name the issuer (RFC 9207), so that a client cannot confuse it with another one. */
function responseParameters(
  { state }: ResponseTarget,
  response: AuthorizationResponse,
  issuer: string,
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if ('code' in response) {
    parameters.set('code', response.code);
  } else {
    parameters.set('error', response.error);
    if (response.description !== undefined) {
      parameters.set('error_description', response.description);
    }
  }
  if (state !== undefined) parameters.set('state', state);
  return parameters.set('iss', issuer);
}

/** Adds the parameters to a redirect URI, whose registered query is preserved. */
export function redirectUrl(redirectUri: string, parameters: ReadonlyMap<string, string>): URL {
  const added = [...parameters].map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  );
  const separator = redirectUri.includes('?') ? '&' : '?';
  const start = redirectUri.endsWith('?') ? redirectUri : `${redirectUri}${separator}`;
  return new URL(`${start}${added.join('&')}`);
}

type Consent = NonNullable<Awaited<ReturnType<typeof grantConsent>>>;

const USED_UP: AuthorizationResponse = {
  error: 'invalid_request_uri',
  description: 'The pushed request was already used, or the login took too long.',
};

const TOO_MANY_CLIENTS = 'No more applications can be used here: the maximum number is reached.';

const failTooManyClients: Fail<ErrorCode> = (internal) => {
  throw new AppError('REQUEST_INVALID', { detail: TOO_MANY_CLIENTS, internal });
};

/** Records the grants of users to clients, and issues codes for them (RFC 6749 §1.3.1). */
export class AuthorizationGrants {
  readonly #gate: Gate;
  readonly #clients: Clients;
  readonly #browserLogins: BrowserLogins;
  readonly #codes: AuthorizationCodes;
  readonly #pushedRequests: PushedRequests;

  constructor(
    gate: Gate,
    clients: Clients,
    browserLogins: BrowserLogins,
    codes: AuthorizationCodes,
    pushedRequests: PushedRequests,
  ) {
    this.#gate = gate;
    this.#clients = clients;
    this.#browserLogins = browserLogins;
    this.#codes = codes;
    this.#pushedRequests = pushedRequests;
  }

  /** Issues a code for a granted request. */
  async issueCode(
    context: AuthorizationContext,
    login: BrowserLogin,
    from: Origin,
  ): Promise<AuthorizationResponse> {
    const { tenant, interaction, client, now } = context;
    const { redirectUri, challenge, nonce, jkt, claims, targets, details, pushed, inApp, test } =
      interaction.request;
    if (pushed && !(await this.#pushedRequests.use(tenant.id, pushed))) return USED_UP;
    const code = {
      clientId: client.id,
      ...(await this.grant(context, login, from)),
      redirectUri: inApp ? undefined : redirectUri,
      challenge,
      nonce,
      jkt,
      targets: targets.length > 0 ? targets : undefined,
      details,
      claims,
      test,
    };
    return { code: await this.#codes.issue(tenant.id, code, now) };
  }

  /** Records what a granted request adds to the consent. First-party clients get it without a question to the user. */
  async grant(context: AuthorizationContext, login: BrowserLogin, from: Origin) {
    const { tenant, client, consent: earlier, decision, interaction, now } = context;
    if (decision.kind !== 'granted') throw new Error('The request was not granted.');
    // If a page asked the user, the consent already covers everything.
    const hasUnaskedDetails = client.first_party && interaction.request.details !== undefined;
    const isCovered = scopesNotConsented(earlier, decision) === undefined && !hasUnaskedDetails;
    const consent = isCovered
      ? login.consent
      : await this.#addToConsent(context, login, decision, undefined, from);
    if (!consent) throw new AppError('REQUEST_INVALID');
    this.#browserLogins.noteUse(tenant, login, now);
    const { sessionId, userId, workspaceId } = login;
    return {
      userId,
      workspaceId,
      loginId: sessionId,
      consent: { id: consent.id, version: consent.version },
      scopes: allScopes(decision),
    };
  }

  /**
   * Records that the user allowed the scopes on the consent page.
   * @param granted the scopes on the page
   */
  async consent(
    context: AuthorizationContext,
    login: BrowserLogin,
    granted: ScopesByTarget,
    from: Origin,
  ): Promise<void> {
    const { device, test, redirectUri } = context.interaction.request;
    const isRedirected = device === undefined && test === undefined;
    const redirectOrigin = isRedirected ? redirectOriginOf(redirectUri) : undefined;
    const consent = await this.#addToConsent(context, login, granted, redirectOrigin, from);
    if (!consent) throw new AppError('REQUEST_INVALID');
  }

  /** @returns undefined if the client was deleted in the meantime */
  #addToConsent(
    { tenant, client, interaction }: AuthorizationContext,
    { userId, sessionId }: BrowserLogin,
    { scopes, at }: ScopesByTarget,
    redirectOrigin: string | undefined,
    from: Origin,
  ): Promise<Consent | undefined> {
    const by = { kind: 'user', subject: userId, sessionId, from } as const;
    const grant = {
      userId,
      clientId: client.id,
      scopes,
      at: at.map((target) => ({ resourceId: target.resource.id, scopes: target.scopes })),
      details: interaction.request.details,
      redirectOrigin,
    };
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      // A client that is known only by its metadata document is stored with its first consent.
      await this.#clients.keep(tx, by, tenant, client.id, failTooManyClients);
      return grantConsent(tx, by, grant);
    });
  }
}
