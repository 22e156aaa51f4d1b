import { fail } from '@keywright/contract/errors';
import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { continueAuthorization } from '@keywright/contract/routes/authorize';
import { returnFromProvider } from '@keywright/contract/routes/login-returns';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Wishes } from '../../../platform/texts/locales.ts';
import type { Device } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type Tenant, pathAtIssuer } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import {
  type Clients,
  type LoadedClient,
  UNWRITTEN,
  matchesRedirectUri,
  mayLogInInApp,
} from '../clients/index.ts';
import { type Seals, findConsentedResources } from '../grants/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';
import type { ResourceDirectory } from '../resources/index.ts';
import {
  type AuthorizationDecision,
  type EarlierConsent,
  type UserActions,
  decideAuthorization,
} from './authorization-decision.ts';
import {
  type AuthorizationRequest,
  type ExistingTargets,
  type ShortRequest,
  completed,
  shortened,
} from './authorization-request.ts';
import { existingTargets } from './request-scopes.ts';

/** How long a page can be left open. Each step restarts this period. */
const LIFETIME_SECONDS = 30 * 60;
/** How much longer the request of an expired page can be restarted. */
const RESTART_SECONDS = 24 * 60 * 60;

/** The login flow of an interaction. */
export interface InteractionFlow {
  readonly id: string;
  readonly token: string;
  /** The identifier that was typed to start the flow. */
  readonly identifier?: string;
  /** The masked address that a message was sent to. */
  readonly sentTo?: string;
  /**
   * The users who can log in at a provider. `any`: no identifier was typed. `named`: the domain of the typed identifier
   * was captured by a provider.
   */
  readonly providerUsers?: 'any' | 'named';
  /** The provider that the browser was last redirected to. */
  readonly provider?: string;
  /** The method of the first proof. */
  readonly method?: string;
}

/** A login flow whose first proof failed. It is reused if the user repeats the step with the same identifier. */
interface FailedFlow extends InteractionFlow {
  /** The button that started the flow, and the identifier. */
  readonly startedWith: string;
}

/** An authorization request, and the user's actions for it so far. It is carried by the browser, not stored. */
export interface Interaction {
  readonly request: AuthorizationRequest;
  /** The user that the client expects (`id_token_hint`), as the subject at the client. */
  readonly expected?: string;
  readonly done: UserActions;
  readonly flow?: InteractionFlow;
  readonly failedFlow?: FailedFlow;
  /** The page that the user chose before the login. */
  readonly chosenPage?: 'code' | 'registration' | 'recovery' | 'another';
}

/** An interaction as the browser carries it, without empty parts, and with its expiry. */
interface SealedInteraction extends Omit<Interaction, 'request' | 'done'> {
  readonly request: ShortRequest;
  readonly done?: UserActions;
  readonly exp: number;
}

/** An interaction from a form or a URL. */
interface OpenedInteraction {
  readonly interaction: Interaction;
  /** Whether the page was left open for too long. */
  readonly isTooOld: boolean;
}

/** A browser's request to a page of an interaction. */
export interface PageRequest {
  readonly tenant: Tenant;
  /** The sealed interaction. */
  readonly request: string;
  readonly cookies: {
    readonly session?: string;
    readonly flow?: string;
    readonly method?: string;
  };
  readonly device: Device;
  /** The form field that protects against cross-site requests. */
  readonly token: Html;
  readonly look: Look;
  readonly wishes: Wishes;
}

/** Seals interactions to the flow cookie of a browser, so that they are invalid in any other browser. */
export class Interactions {
  readonly #seals: Seals;
  readonly #clock: Clock;

  constructor(seals: Seals, clock: Clock) {
    this.#seals = seals;
    this.#clock = clock;
  }

  seal({ id: tenantId }: Tenant, cookie: string, interaction: Interaction): Promise<string> {
    const exp = epochSeconds(this.#clock.now()) + LIFETIME_SECONDS;
    const context = { tenantId, purpose: 'authorization request', boundTo: cookie } as const;
    const { request, done, ...rest } = interaction;
    const actions = Object.keys(done).length > 0 && { done };
    return this.#seals.seal({ ...rest, request: shortened(request), ...actions, exp }, context);
  }

  /** Seals the next state of an interaction for the browser that sent the page request. */
  sealFor({ tenant, cookies }: PageRequest, interaction: Interaction): Promise<string> {
    if (cookies.flow === undefined) throw new Error('The request was opened without its cookie.');
    return this.seal(tenant, cookies.flow, interaction);
  }

  /** @returns undefined if it was sealed for another browser, or more than a day ago */
  async open(
    { id: tenantId }: Tenant,
    cookie: string | undefined,
    text: string,
  ): Promise<OpenedInteraction | undefined> {
    if (cookie === undefined) return undefined;
    const context = { tenantId, purpose: 'authorization request', boundTo: cookie } as const;
    const opened = await this.#seals.open(text, context);
    if (opened === undefined) return undefined;
    const { exp, request, done = {}, ...rest } = opened as SealedInteraction;
    const interaction = { ...rest, done, request: completed(request) };
    const age = epochSeconds(this.#clock.now()) - exp;
    return age < RESTART_SECONDS ? { interaction, isTooOld: age >= 0 } : undefined;
  }

  /** Redirects the browser to the first page of an interaction. Sets a flow cookie if the browser has none. */
  async start(
    tenant: Tenant,
    cookie: string | undefined,
    interaction: Interaction,
  ): Promise<SeeOther<'flow'>> {
    const flow = cookie ?? randomId();
    const cookies = cookie === undefined ? [{ name: 'flow', value: flow } as const] : [];
    return new SeeOther(continuePath(tenant, await this.seal(tenant, flow, interaction)), cookies);
  }
}

/** The same page request with a later state of the interaction, which its language form also carries. */
export function withInteraction(page: PageRequest, request: string): PageRequest {
  return { ...page, request, look: { ...page.look, here: formInPlace(request) } };
}

/** The form that shows the page of an interaction in another language. */
export function formInPlace(request: string): Look['here'] {
  return { action: 'continue', fields: { request } };
}

/** The interaction after a login for this request, which requires no other login. */
export function afterLogin(interaction: Interaction, sessionId: SessionId): Interaction {
  const { request, expected, done } = interaction;
  return { request, ...(expected && { expected }), done: { ...done, login: sessionId } };
}

/** The path of the page that continues an interaction, at the issuer. */
export function continuePath(tenant: Tenant, request: string): `/${string}` {
  return `${pathAtIssuer(tenant, continueAuthorization.path)}?request=${request}`;
}

/** The URL to which an identity provider redirects the browser. */
export function providerReturnUrl(tenant: Tenant, request: string): URL {
  const url = new URL(pathAtIssuer(tenant, returnFromProvider.path), tenant.issuer);
  url.searchParams.set('request', request);
  return url;
}

/** The fields of a client that pages show, or that determine which page is shown. */
export type ShownClient = Pick<
  LoadedClient,
  | 'id'
  | 'name'
  | 'kind'
  | 'first_party'
  | 'created_by'
  | 'version'
  | 'policy_uri'
  | 'tos_uri'
  | 'contacts'
  | 'authorization_details_types'
  | 'token_endpoint_auth_method'
>;

/** Represents a client in logins for pages of the service. No client has this ID, so no request can name it. */
export const SERVICE_PAGES: ShownClient = {
  id: 'own_pages' as OAuthClientId,
  name: 'your account',
  kind: 'web',
  first_party: true,
  created_by: 'admin',
  version: 0,
  policy_uri: null,
  tos_uri: null,
  contacts: [],
  authorization_details_types: [],
  // The response goes to a page of the service, which only the service controls.
  token_endpoint_auth_method: 'private_key_jwt',
};

export function isForServicePages({ clientId }: Pick<AuthorizationRequest, 'clientId'>): boolean {
  return clientId === SERVICE_PAGES.id;
}

/** An interaction with the current state of its client and user, and the resulting decision. */
export interface AuthorizationContext {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly client: ShownClient;
  readonly login: BrowserLogin | undefined;
  readonly consent: EarlierConsent | undefined;
  readonly decision: AuthorizationDecision;
  readonly now: Date;
}

const TENANT_ONLY: ExistingTargets = { includesTenant: true, resources: [] };

/** Stands for an expected user other than the logged-in one. */
const ANOTHER_USER = 'user:another' as UserId;

/** Loads everything that the decision on a request depends on. */
export class AuthorizationContexts {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #clients: Clients;
  readonly #browserLogins: BrowserLogins;
  readonly #subjects: SubjectIdentifiers;
  readonly #resources: ResourceDirectory;

  constructor(
    gate: Gate,
    clock: Clock,
    clients: Clients,
    browserLogins: BrowserLogins,
    subjects: SubjectIdentifiers,
    resources: ResourceDirectory,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#clients = clients;
    this.#browserLogins = browserLogins;
    this.#subjects = subjects;
    this.#resources = resources;
  }

  /**
   * @param sessionCookie the cookie of the browser's login
   * @param admitted the client, if it was just looked up for this request
   * @returns undefined if the client is deleted or inactive, or no longer has the redirect URI
   */
  async load(
    tenant: Tenant,
    interaction: Interaction,
    sessionCookie: string | undefined,
    admitted?: LoadedClient,
  ): Promise<AuthorizationContext | undefined> {
    const { request, done, chosenPage } = interaction;
    if (isForServicePages(request)) return this.#loadForPage(tenant, interaction, sessionCookie);
    const now = this.#clock.now();
    const cached = admitted ?? (await this.#findAdmitted(tenant, request.clientId));
    if (!cached?.is_active) return undefined;
    const login = await this.#browserLogins.find(tenant, sessionCookie, cached.id, now);
    const client = login ? await this.#currentClient(cached, login) : cached;
    if (!client || !canBeAnswered(client, request)) return undefined;
    const targets = await this.#findTargets(tenant, request);
    const consent = login?.consent && (await this.#findConsent(tenant, login.consent, targets));
    const decision = decideAuthorization({
      request,
      client,
      targets,
      consentPolicy: tenant.config.oauth_consent,
      // A user who chooses another account needs no decision about this one.
      login: chosenPage === 'another' ? undefined : login,
      consent,
      done,
      expected: await this.#findExpected(tenant, client, interaction, login),
      now,
    });
    return { tenant, interaction, client, login, consent, decision, now };
  }

  /** Pages of the service need no consent. */
  async #loadForPage(
    tenant: Tenant,
    interaction: Interaction,
    sessionCookie: string | undefined,
  ): Promise<AuthorizationContext> {
    const now = this.#clock.now();
    const { request, done, chosenPage } = interaction;
    const login = await this.#browserLogins.find(tenant, sessionCookie, null, now);
    const decision = decideAuthorization({
      request,
      client: SERVICE_PAGES,
      targets: TENANT_ONLY,
      consentPolicy: 'once',
      login: chosenPage === 'another' ? undefined : login,
      consent: undefined,
      done,
      expected: undefined,
      now,
    });
    return { tenant, interaction, client: SERVICE_PAGES, login, consent: undefined, decision, now };
  }

  async #findAdmitted(tenant: Tenant, id: OAuthClientId): Promise<LoadedClient | undefined> {
    // The client's metadata document might have been read by another node.
    const problem = await this.#clients.admit(tenant, id, undefined, fail);
    return problem === undefined ? this.#clients.cached(tenant.id, id) : undefined;
  }

  /** Reloads the client if this node has cached an earlier version. Without a login, no code is issued anyway. */
  async #currentClient(
    cached: LoadedClient,
    { clientVersion }: BrowserLogin,
  ): Promise<LoadedClient | undefined> {
    if ((clientVersion ?? UNWRITTEN) === cached.version) return cached;
    this.#clients.forget(cached.tenant_id);
    const client = await this.#clients.find(cached.tenant_id, cached.id);
    return client?.is_active ? client : undefined;
  }

  /** Most requests name no resource, and need no lookup here. */
  async #findTargets({ id }: Tenant, { targets }: AuthorizationRequest): Promise<ExistingTargets> {
    return targets.length === 0
      ? TENANT_ONLY
      : existingTargets(targets, await this.#resources.of(id));
  }

  async #findConsent(
    tenant: Tenant,
    { id, scopes, redirectOrigins }: NonNullable<BrowserLogin['consent']>,
    { resources }: ExistingTargets,
  ): Promise<EarlierConsent> {
    if (resources.length === 0) return { scopes, at: [], redirectOrigins };
    const data = this.#gate.into(tenant.id);
    const at = await data.transaction((tx) => findConsentedResources(tx, id));
    return { scopes, at, redirectOrigins };
  }

  /** @returns the user that the client expects; undefined if it expects none */
  async #findExpected(
    { id }: Tenant,
    client: LoadedClient,
    { expected }: Interaction,
    login: BrowserLogin | undefined,
  ): Promise<UserId | undefined> {
    if (expected === undefined) return undefined;
    const subject = login && (await this.#subjects.of(id, client, login.userId));
    return login && subject === expected ? login.userId : ANOTHER_USER;
  }
}

/** Whether the client still has the redirect URI, or can still log users in without one. */
function canBeAnswered(
  client: LoadedClient,
  { device, inApp, test, redirectUri }: AuthorizationRequest,
): boolean {
  if (test !== undefined) return client.grant_types.includes('authorization_code');
  if (inApp) return mayLogInInApp(client);
  return device
    ? client.grant_types.includes(DEVICE_GRANT)
    : matchesRedirectUri(client.redirect_uris, client.kind, redirectUri);
}
