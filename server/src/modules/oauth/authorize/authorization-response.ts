import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { formPostView, redirectView, stoppedView } from '../../branding/views/index.ts';
import type { OwnJwts } from '../../tokens/signing-keys/index.ts';
import type { KnownClient } from '../clients/index.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { coversRedirectUri, type EarlierConsent } from './authorization-decision.ts';
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
  { created_by: by }: Pick<KnownClient, 'created_by'>,
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
  readonly #jwts: OwnJwts;

  constructor(clock: Clock, jwts: OwnJwts) {
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
