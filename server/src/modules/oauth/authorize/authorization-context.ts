import { fail } from '@keywright/contract/errors';
import type { OAuthClientId, UserId } from '@keywright/contract/ids';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { SubjectFor } from '../id-tokens/index.ts';
import {
  type Clients,
  isRegistered,
  type KnownClient,
  mayLogInInApp,
  UNWRITTEN,
} from '../clients/index.ts';
import { findAllowedAt } from '../consents/index.ts';
import type { FindResources } from '../resources/index.ts';
import { type Consented, decideAuthorization, type Outcome } from './authorization-decision.ts';
import type { Interaction } from './interaction.ts';
import { isOfOwnPages, OWN_PAGES, type ShownClient } from './page-logins.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { type Places, placesOf } from './request-scopes.ts';

/** A request, with what is true of it now. */
export interface Situation {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly client: ShownClient;
  readonly login: BrowserLogin | undefined;
  /** The user's earlier consent to the client. */
  readonly consent: Consented | undefined;
  readonly outcome: Outcome;
  readonly now: Date;
}

/** A user other than the one who has logged in. */
const ANOTHER = 'user:another' as UserId;

interface Dependencies {
  readonly gate: Gate;
  readonly clients: Clients;
  readonly browserLogins: BrowserLogins;
  readonly clock: Clock;
  readonly subjectFor: SubjectFor;
  readonly findResources: FindResources;
}

/**
 * @param admitted the client, if the request has just named it
 * @returns undefined if the client is gone or inactive, or no longer has the redirect URI
 */
export async function situate(
  dependencies: Dependencies,
  tenant: Tenant,
  interaction: Interaction,
  cookie: string | undefined,
  admitted?: KnownClient,
): Promise<Situation | undefined> {
  const { clients, subjectFor, clock, browserLogins, gate, findResources } = dependencies;
  const now = clock.now();
  const { request, done, wants } = interaction;
  if (isOfOwnPages(request)) return situateOwn(dependencies, tenant, interaction, cookie);
  const known = admitted ?? (await findAdmitted(clients, tenant, request.clientId));
  if (!known?.is_active) return undefined;
  const login = await browserLogins.find(tenant, cookie, known.id, now);
  const client = login ? await present(clients, known, login) : known;
  if (!client || !mayBeAnswered(client, request)) return undefined;
  // A user who chooses another account is not asked about this one.
  const session = wants === 'another' ? undefined : login;
  const places = await findPlaces(findResources, tenant, request.targets);
  const consent = login?.consent && (await findConsented(gate, tenant, login.consent, places));
  const expected = await expectedOf(subjectFor, tenant, client, interaction, login);
  const asks = tenant.config.oauth_consent;
  const given = { request, client, places, asks, session, consent, done, expected, now };
  return { tenant, interaction, client, login, consent, outcome: decideAuthorization(given), now };
}

async function findAdmitted(clients: Clients, tenant: Tenant, id: OAuthClientId) {
  // Another node may have read its document.
  const problem = await clients.admit(tenant, id, undefined, fail);
  return problem === undefined ? clients.known(tenant.id, id) : undefined;
}

/** Whether the client still has the redirect URI, or still logs users in on devices or inside itself. */
function mayBeAnswered(
  client: KnownClient,
  { device, inApp, redirectUri }: AuthorizationRequest,
): boolean {
  if (inApp) return mayLogInInApp(client);
  return device
    ? client.grant_types.includes(DEVICE_GRANT)
    : isRegistered(client.redirect_uris, client.kind, redirectUri);
}

/** Most requests name no resource, and cost no statement here. */
async function findPlaces(
  findResources: FindResources,
  { id }: Tenant,
  targets: AuthorizationRequest['targets'],
): Promise<Places> {
  if (targets.length === 0) return { own: true, resources: [] };
  return placesOf(targets, await findResources(id));
}

async function findConsented(
  gate: Gate,
  tenant: Tenant,
  { id, scopes, redirectOrigins }: NonNullable<BrowserLogin['consent']>,
  { resources }: Places,
): Promise<Consented> {
  if (resources.length === 0) return { scopes, at: [], redirectOrigins };
  const at = await gate.into(tenant.id).transaction((tx) => findAllowedAt(tx, id));
  return { scopes, at, redirectOrigins };
}

/** For a page of the service, which needs no consent. */
async function situateOwn(
  { browserLogins, clock }: Dependencies,
  tenant: Tenant,
  interaction: Interaction,
  cookie: string | undefined,
): Promise<Situation> {
  const now = clock.now();
  const { request, done, wants } = interaction;
  const login = await browserLogins.find(tenant, cookie, null, now);
  const session = wants === 'another' ? undefined : login;
  const nothing = { consent: undefined, expected: undefined };
  const outcome = decideAuthorization({
    request,
    client: OWN_PAGES,
    places: { own: true, resources: [] },
    asks: 'once',
    session,
    done,
    ...nothing,
    now,
  });
  return { tenant, interaction, client: OWN_PAGES, login, consent: undefined, outcome, now };
}

/** The current client, if this node knew an earlier version. Without a login, no code is issued. */
async function present(
  clients: Clients,
  known: KnownClient,
  { clientVersion }: BrowserLogin,
): Promise<KnownClient | undefined> {
  if ((clientVersion ?? UNWRITTEN) === known.version) return known;
  clients.forget(known.tenant_id);
  const client = await clients.find(known.tenant_id, known.id);
  return client?.is_active ? client : undefined;
}

/** The user behind the subject that the client expects, if it can be determined. */
async function expectedOf(
  subjectFor: SubjectFor,
  { id }: Tenant,
  client: KnownClient,
  { expected }: Interaction,
  login: BrowserLogin | undefined,
): Promise<UserId | undefined> {
  if (expected === undefined) return undefined;
  const subject = login && (await subjectFor(id, client, login.userId));
  return login && subject === expected ? login.userId : ANOTHER;
}
