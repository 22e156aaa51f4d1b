import { fail } from '@keywright/contract/errors';
import type { OAuthClientId, UserId } from '@keywright/contract/ids';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import {
  type Clients,
  isRegistered,
  type KnownClient,
  mayLogInInApp,
  UNWRITTEN,
} from '../clients/index.ts';
import { findConsentedResources } from '../grants/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';
import type { ResourceDirectory } from '../resources/index.ts';
import {
  type AuthorizationDecision,
  decideAuthorization,
  type EarlierConsent,
} from './authorization-decision.ts';
import type { AuthorizationRequest, ExistingTargets } from './authorization-request.ts';
import {
  type Interaction,
  isForServicePages,
  SERVICE_PAGES,
  type ShownClient,
} from './interaction.ts';
import { existingTargets } from './request-scopes.ts';

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
    admitted?: KnownClient,
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

  async #findAdmitted(tenant: Tenant, id: OAuthClientId): Promise<KnownClient | undefined> {
    // The client's metadata document might have been read by another node.
    const problem = await this.#clients.admit(tenant, id, undefined, fail);
    return problem === undefined ? this.#clients.known(tenant.id, id) : undefined;
  }

  /** Reloads the client if this node has cached an earlier version. Without a login, no code is issued anyway. */
  async #currentClient(
    cached: KnownClient,
    { clientVersion }: BrowserLogin,
  ): Promise<KnownClient | undefined> {
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
    client: KnownClient,
    { expected }: Interaction,
    login: BrowserLogin | undefined,
  ): Promise<UserId | undefined> {
    if (expected === undefined) return undefined;
    const subject = login && (await this.#subjects.of(id, client, login.userId));
    return login && subject === expected ? login.userId : ANOTHER_USER;
  }
}

/** Whether the client still has the redirect URI, or can still log users in on devices or inside its app. */
function canBeAnswered(
  client: KnownClient,
  { device, inApp, redirectUri }: AuthorizationRequest,
): boolean {
  if (inApp) return mayLogInInApp(client);
  return device
    ? client.grant_types.includes(DEVICE_GRANT)
    : isRegistered(client.redirect_uris, client.kind, redirectUri);
}
