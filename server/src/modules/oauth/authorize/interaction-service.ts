import { AppError, type Fail } from '@keywright/contract/errors';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import { preferredLocale } from '../../../platform/texts/locales.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Challenges, type Flows, deviceCookie } from '../../authentication/flows/index.ts';
import type { FindLook } from '../../branding/brand/index.ts';
import { leaveView, tooOldView, codesView } from '../../branding/views/index.ts';
import { replaceLogin } from '../../tokens/sessions/index.ts';
import { requireOAuth, type Clients, redirectOriginOf } from '../clients/index.ts';
import { grantConsent } from '../consents/index.ts';
import type { DeviceGrants } from '../device-grants/index.ts';
import { type Situation, situate } from './authorization-context.ts';
import type { EntryDependencies } from './authorization-endpoint.ts';
import { keepingClient } from './authorization-grants.ts';
import { departureOf, issueCode, leave } from './authorization-response.ts';
import { connectDevice, refuseDevice } from './device-login.ts';
import type { FactorPages } from './factor-pages.ts';
import { pageFor, refuse, type Problem, problemOf } from './interaction-pages.ts';
import {
  type Interaction,
  type Visit,
  sealFor,
  carrying,
  continuePath,
  loggedIn,
} from './interaction.ts';
import type { createSteps, Fields, Stepped } from './login-steps.ts';
import { isOfOwnPages } from './page-logins.ts';

export interface JourneyDependencies extends EntryDependencies {
  readonly flows: Flows;
  readonly challenges: Challenges;
  readonly perform: Router['perform'];
  readonly steps: ReturnType<typeof createSteps>;
  readonly factorPages: FactorPages;
  readonly findLook: FindLook;
  readonly deviceGrants: DeviceGrants;
}

type Refuse = Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>;
export type Reply<Code extends Problem['code'] | 'FORM_TOO_OLD' = never> =
  | SeeOther<'session' | 'flow' | 'method' | 'device'>
  | Page<Code, 'session' | 'flow' | 'method' | 'device'>;

/** The page of the next step, or the redirect to the client. */
export async function show(
  dependencies: JourneyDependencies,
  from: Visit,
  fail: Refuse,
): Promise<Page<'FORM_TOO_OLD'>> {
  const arrived = await arrive(dependencies, from, fail);
  if (arrived instanceof Page) return arrived;
  const { situation, visit } = arrived;
  const { outcome, interaction, login } = situation;
  const { tenant, device } = visit;
  const { texts } = visit.look;
  const { request } = interaction;
  if (outcome.kind === 'error') {
    if (request.device)
      return refuseDevice(dependencies, situation, request.device, visit, 'refused');
    return leave(dependencies, tenant, departureOf(situation, outcome), texts);
  }
  if (outcome.kind === 'granted' && login) {
    const asking = request.device;
    if (asking) return connectDevice(dependencies, situation, { login, device: asking }, visit);
    if (isOfOwnPages(request)) return new Page(leaveView(new URL(request.redirectUri), texts));
    const answer = await issueCode(dependencies, situation, login, device.from);
    return leave(dependencies, tenant, departureOf(situation, answer), texts);
  }
  return new Page(await pageFor(dependencies, visit, situation));
}

/** The link of a message continues this request, in this browser. */
async function keepForLink(
  dependencies: JourneyDependencies,
  visit: Visit,
  interaction: Interaction,
): Promise<void> {
  const { flow } = interaction;
  if (!flow) return;
  const sealed = await sealFor(dependencies, visit, interaction);
  await dependencies.flows.keepPage(visit.tenant, flow, sealed);
}

const DENIED = { error: 'access_denied' } as const;

/** Handles a form. Errors are shown on the same page. */
export async function submit(
  dependencies: JourneyDependencies,
  from: Visit,
  fields: Fields,
  fail: Refuse,
): Promise<Reply<Problem['code'] | 'FORM_TOO_OLD'>> {
  const arrived = await arrive(dependencies, from, fail);
  if (arrived instanceof Page) return arrived;
  const { situation, visit } = arrived;
  const { tenant, interaction } = situation;
  const { texts } = visit.look;
  if (fields.action === 'deny') {
    const { device: asking } = interaction.request;
    if (asking) return refuseDevice(dependencies, situation, asking, visit, 'denied');
    return leave(dependencies, tenant, departureOf(situation, DENIED), texts);
  }
  const turned = await turnTo(dependencies, situation, fields, visit.device);
  if (turned) return goOn(dependencies, visit, turned);
  const cookie = new SessionCookie();
  const device = { ...visit.device, cookie };
  // A flow that a failed step has started is kept.
  let reached = interaction;
  try {
    const locale = preferredLocale(visit.wishes);
    const call = { tenant, interaction, fields, device, locale };
    const shown = await dependencies.factorPages(call, visit);
    if (shown) return new Page(shown);
    const step = dependencies.steps.get(fields.action) ?? fail('REQUEST_INVALID');
    const stepped = await step(call);
    reached = stepped.interaction;
    if (stepped.refused) throw stepped.refused;
    if (stepped.isSent) await keepForLink(dependencies, visit, reached);
    const method = methodAfter(reached, fields);
    return await goOnAfter(dependencies, visit, situation, { ...stepped, method }, cookie);
  } catch (error) {
    const problem = error instanceof AppError ? problemOf(error, texts) : undefined;
    if (problem === undefined) throw error;
    const next = { ...situation, interaction: reached };
    return refuse(dependencies, visit, next, problem, fields.identifier);
  }
}

/**
 * The request that a browser brings. If its page was left open for too long, the response is a page that starts again.
 * @throws AppError FORM_TOO_OLD unless the request was made in this browser
 */
export async function arrive(
  dependencies: JourneyDependencies,
  visit: Visit,
  fail: Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>,
): Promise<Arrived | Page<'FORM_TOO_OLD'>> {
  const { interactions, clock } = dependencies;
  const { tenant, request, cookies } = visit;
  if (cookies.flow === undefined) return fail('COOKIE_REFUSED');
  const opened = await interactions.open(tenant.id, cookies.flow, request, clock.now());
  const { interaction, isTooOld } = opened ?? fail('FORM_TOO_OLD');
  // The service's own pages do not need the OpenID provider.
  if (!isOfOwnPages(interaction.request)) requireOAuth(tenant, fail);
  const asked = await asWished(dependencies, visit, interaction.request.uiLocales);
  if (isTooOld) return tooOld(dependencies, asked, interaction);
  const situation = await situate(dependencies, tenant, interaction, cookies.session);
  return { visit: asked, situation: situation ?? fail('REQUEST_INVALID') };
}

/** A request, and its visit in the language that the application requested. */
interface Arrived {
  readonly visit: Visit;
  readonly situation: Situation;
}

async function asWished(
  { findLook }: JourneyDependencies,
  visit: Visit,
  wished: readonly string[],
): Promise<Visit> {
  if (wished.length === 0) return visit;
  const wishes = { ...visit.wishes, wished };
  const look = await findLook(visit.tenant, wishes, visit.look.here);
  return { ...visit, wishes, look };
}

/** Nothing that was done before is kept. */
async function tooOld(
  dependencies: EntryDependencies,
  visit: Visit,
  { request, expected }: Interaction,
): Promise<Page<'FORM_TOO_OLD'>> {
  const again = { request, ...(expected && { expected }), done: {} };
  const sealed = await sealFor(dependencies, visit, again);
  const html = tooOldView(carrying(visit, sealed));
  return new Page(html, { refusal: 'FORM_TOO_OLD' });
}

/** Pages that the user can choose. */
const WANTED: Readonly<Record<string, Interaction['wants']>> = {
  begin_code: 'code',
  begin_recovery: 'recovery',
  begin_registration: 'registration',
  another: 'another',
};

/**
 * The user's choice on a page, other than a proof: another page, this account, this consent. Undefined if it is a
 * proof.
 */
async function turnTo(
  { gate, clients }: { readonly gate: Gate; readonly clients: Clients },
  { tenant, interaction, client, login, outcome }: Situation,
  { action }: Fields,
  { from }: Device,
): Promise<Interaction | undefined> {
  const { request, expected, done, wants } = interaction;
  const kept = { request, ...(expected && { expected }) };
  if (action === 'restart') {
    return { ...kept, done, ...(wants === 'another' && { wants }) };
  }
  const wanted = WANTED[action];
  if (wanted) return { ...kept, done, wants: wanted };
  if (outcome.kind !== 'page' || !login) return undefined;
  const { sessionId, userId } = login;
  if (action === 'select') return { ...kept, done: { ...done, selection: sessionId } };
  if (action !== 'allow') return undefined;
  // A consent applies to what the page showed.
  if (outcome.page !== 'consent') throw new AppError('FORM_TOO_OLD');
  const by = { kind: 'user', subject: userId, sessionId, from } as const;
  const at = outcome.at.map((one) => ({ resourceId: one.resource.id, scopes: one.scopes }));
  const { details, device, redirectUri } = request;
  const redirectOrigin = device ? undefined : redirectOriginOf(redirectUri);
  const { scopes } = outcome;
  const granted = { userId, clientId: client.id, scopes, at, details, redirectOrigin };
  const consent = await grantConsent(
    gate.into(tenant.id),
    by,
    granted,
    keepingClient(clients, by, tenant, client.id),
  );
  if (!consent) throw new AppError('REQUEST_INVALID');
  return { ...kept, done: { ...done, consent: sessionId } };
}

type Kept = 'session' | 'method' | 'device';
type Onward = SeeOther<Kept> | Page<never, Kept>;

/** What was done, and how the login was started, if that is known. */
interface AfterStep extends Pick<Stepped, 'interaction' | 'codes' | 'deviceToken'> {
  readonly method: string | undefined;
}

/** After a step: the login is complete, or continues. */
export async function goOnAfter(
  dependencies: EntryDependencies,
  visit: Visit,
  { tenant, login: former }: Situation,
  { interaction, codes, method, deviceToken }: AfterStep,
  { value }: SessionCookie,
): Promise<Onward> {
  const { gate, clock, browserLogins } = dependencies;
  const login =
    value === undefined ? undefined : await browserLogins.find(tenant, value, null, clock.now());
  if (login && former) await replaceLogin(gate.into(tenant.id), former, login, visit.device.from);
  const next = login ? loggedIn(interaction, login.sessionId) : begunBy(interaction, method);
  const added: Cookie<Kept>[] = value === undefined ? [] : [sessionCookie(tenant, value)];
  if (login && method !== undefined) added.push(methodCookie(method));
  if (login && deviceToken !== undefined) added.push(deviceCookie(deviceToken));
  if (!codes) return goOn(dependencies, visit, next, added);
  const sealed = await sealFor(dependencies, visit, next);
  // They are shown only once, so no form leads to another page.
  const { here: _here, ...look } = visit.look;
  const html = codesView({ look, codes, continueAt: continuePath(tenant, sealed) });
  return new Page(html, { cookies: added });
}

/** A second factor or a new password may follow. */
function begunBy(interaction: Interaction, method: string | undefined): Interaction {
  const { flow } = interaction;
  return flow && method !== undefined ? { ...interaction, flow: { ...flow, method } } : interaction;
}

export async function goOn(
  dependencies: EntryDependencies,
  visit: Visit,
  interaction: Interaction,
  cookies: readonly Cookie<Kept>[] = [],
): Promise<SeeOther<Kept>> {
  const sealed = await sealFor(dependencies, visit, interaction);
  return new SeeOther(continuePath(visit.tenant, sealed), cookies);
}

function sessionCookie({ config }: Tenant, value: string) {
  return { name: 'session', value, maxAgeSeconds: config.browser_session_ttl } as const;
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The first proof of each button. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['register', 'password'],
  ['password', 'password'],
  ['code', 'code'],
  ['link', 'code'],
  ['prove_passkey', 'passkey'],
]);

/**
 * The method of a login, as far as this step shows: `password`, `code`, `passkey` or the ID of an identity provider. A
 * second factor does not change it. A user who recovers their account has a password afterwards.
 */
function methodAfter(
  { flow }: Pick<Interaction, 'flow'>,
  { action, secret }: Pick<Fields, 'action' | 'secret'>,
): string | undefined {
  if (action === 'new_password') return 'password';
  if (flow?.method !== undefined) return flow.method;
  if (action === 'login') return secret ? 'password' : undefined;
  return PROOFS.get(action);
}

/**
 * What the browser stores for its next login, without names or addresses. It is untrusted, and only marks a method that
 * the page offers anyway.
 */
function methodCookie(value: string): Cookie<'method'> {
  return { name: 'method', value, maxAgeSeconds: YEAR_SECONDS };
}
