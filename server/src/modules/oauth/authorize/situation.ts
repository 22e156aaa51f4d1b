import type { UserId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { SubjectFor } from '../claims/index.ts';
import { type Clients, isRegistered, type KnownClient } from '../clients/index.ts';
import { decideAuthorization, type Outcome } from './decide.ts';
import type { Interaction } from './interaction.ts';
import { isOfOwnPages, OWN_PAGES, type ShownClient } from './own-login.ts';

/** A request, with what is true of it now. */
export interface Situation {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly client: ShownClient;
  readonly login: BrowserLogin | undefined;
  readonly outcome: Outcome;
  readonly now: Date;
}

/** Somebody else than whoever has logged in. */
const ANOTHER = 'user:another' as UserId;

interface Dependencies {
  readonly clients: Clients;
  readonly browserLogins: BrowserLogins;
  readonly clock: Clock;
  readonly subjectFor: SubjectFor;
}

/** @returns undefined when the client is gone or inactive, or has given up the address to return to */
export async function situate(
  dependencies: Dependencies,
  tenant: Tenant,
  interaction: Interaction,
  cookie: string | undefined,
): Promise<Situation | undefined> {
  const { clients, subjectFor, clock, browserLogins } = dependencies;
  const now = clock.now();
  const { request, done, wants } = interaction;
  if (isOfOwnPages(request)) return situateOwn(dependencies, tenant, interaction, cookie);
  const known = await clients.known(tenant.id, request.clientId);
  if (!known?.is_active) return undefined;
  const login = await browserLogins.find(tenant, cookie, known.id, now);
  const client = login ? await present(clients, known, login) : known;
  if (!client || !isRegistered(client.redirect_uris, client.kind, request.redirectUri)) {
    return undefined;
  }
  // Who wants another account is not asked about this one.
  const session = wants === 'another' ? undefined : login;
  const consent = login?.consent;
  const expected = await expectedOf(subjectFor, tenant, client, interaction, login);
  const outcome = decideAuthorization({ request, client, session, consent, done, expected, now });
  return { tenant, interaction, client, login, outcome, now };
}

/** For a page of the service itself, which nobody is asked for a consent to. */
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
    session,
    done,
    ...nothing,
    now,
  });
  return { tenant, interaction, client: OWN_PAGES, login, outcome, now };
}

/** The client as it is, where this node knew an earlier version. Without a login, no code is issued. */
async function present(
  clients: Clients,
  known: KnownClient,
  { clientVersion }: BrowserLogin,
): Promise<KnownClient | undefined> {
  if (clientVersion === known.version) return known;
  clients.forget(known.tenant_id);
  const client = await clients.find(known.tenant_id, known.id);
  return client?.is_active ? client : undefined;
}

/** The user behind the subject that the client expects, as far as it can be known. */
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
