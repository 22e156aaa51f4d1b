import { isFresh } from '@keywright/contract/assurance';
import { AppError, type Fail } from '@keywright/contract/errors';
import type { AccountDone, AccountSection } from '@keywright/contract/routes/account';
import type { TextLocale } from '@keywright/contract/locale';
import { deleteSession } from '@keywright/contract/routes/sessions';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type BeginOwnLogin, pathAtIssuer } from '../../oauth/authorize/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import type { FindLook, Look } from '../../branding/brand/index.ts';
import { goView } from '../../branding/views/index.ts';
import { accountView, deletedView } from './account-view.ts';
import { addresses } from './addresses.ts';
import { agents, apps } from './grants.ts';
import { data } from './data.ts';
import { finishLinking } from './identities.ts';
import { log } from './log.ts';
import { overview } from './overview.ts';
import { type OwnApi, ownApi } from './own-api.ts';
import type { Carried } from './parts.ts';
import { type Problem, problemOf } from './problems.ts';
import { profile } from './profile.ts';
import type { Acted, Fields, Section, Wanted } from './section.ts';
import { security } from './security.ts';
import { sessions } from './sessions.ts';
import { workspaces } from './workspaces.ts';

const SECTIONS: Readonly<Record<AccountSection, Section>> = {
  overview,
  profile,
  addresses,
  security,
  sessions,
  apps,
  agents,
  workspaces,
  log,
  data,
};

export interface AccountDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly browserLogins: BrowserLogins;
  readonly beginOwnLogin: BeginOwnLogin;
  readonly findLook: FindLook;
  readonly performAs: Router['performAs'];
}

/** What the browser sends. */
export interface Visit {
  readonly tenant: Tenant;
  readonly section: AccountSection;
  /** Of a GET. */
  readonly wanted?: Wanted;
  /** What a provider sent the browser back with. */
  readonly handoff?: string | undefined;
  readonly cookies: { readonly session?: string; readonly flow?: string };
  readonly device: Device;
  readonly token: Html;
  readonly look: Look;
}

type Reply<Code extends Problem['code'] = never> =
  | SeeOther<'session' | 'flow'>
  | Page<Code, 'session' | 'flow'>;

/** A section, or first a login. */
export async function show(
  dependencies: AccountDependencies,
  visit: Visit,
  done: AccountDone | undefined,
): Promise<Reply<Problem['code']>> {
  const login = await findLogin(dependencies, visit);
  if (!login) return logIn(dependencies, visit);
  const { browserLogins, clock } = dependencies;
  const { tenant, handoff } = visit;
  browserLogins.noteUse(tenant, login, clock.now());
  return attempt(dependencies, visit, login, async () => {
    if (handoff === undefined) return new Page(await pageFor(dependencies, visit, login, { done }));
    if (handoff === '') throw new AppError('PROVIDER_REFUSED');
    await finishLinking(ownApi(dependencies, placeOf(visit), login), handoff);
    return new SeeOther(pathOf(visit, { done: 'identity_linked' }));
  });
}

/** What was done in a section. What was wrong with it is said in the same one. */
export async function submit(
  dependencies: AccountDependencies,
  visit: Visit,
  fields: Fields,
  fail: Fail<'FORM_TOO_OLD' | 'REQUEST_INVALID'>,
): Promise<Reply<Problem['code']>> {
  const login = await findLogin(dependencies, visit);
  if (!login) return logIn(dependencies, visit);
  // A form of an earlier login, perhaps of somebody else.
  if (fields.session !== login.sessionId) fail('FORM_TOO_OLD');
  const { section } = visit;
  if (fields.action === 'confirm') return logInAgain(dependencies, visit);
  const api = ownApi(dependencies, placeOf(visit), login);
  if (fields.action === 'logout') return logOut(api);
  const act = SECTIONS[section].actions[fields.action] ?? fail('REQUEST_INVALID');
  return attempt(dependencies, visit, login, async () => {
    const acted = await act(api, fields, carriedBy(dependencies, visit, login));
    return after(dependencies, visit, login, acted);
  });
}

/** What cannot be done is said in the same section. */
async function attempt(
  dependencies: AccountDependencies,
  visit: Visit,
  login: BrowserLogin,
  work: () => Promise<Reply>,
): Promise<Reply<Problem['code']>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'STEP_UP_REQUIRED') return logInAgain(dependencies, visit, error);
    const problem = problemOf(error, visit.look.texts);
    if (!problem) throw error;
    // Without what was asked for: it may be what is wrong.
    const { wanted: _, ...rest } = visit;
    const html = await pageFor(dependencies, rest, login, { problem: problem.text });
    return new Page(html, { refusal: problem.code });
  }
}

function placeOf({ tenant, device, look }: Visit) {
  return { tenant, device, locale: look.texts.locale };
}

async function after(
  dependencies: AccountDependencies,
  visit: Visit,
  login: BrowserLogin,
  acted: Acted,
): Promise<Reply> {
  if ('isDeleted' in acted) return gone(visit);
  // A redirect behind a form would be one of `form-action 'self'`, which browsers refuse.
  if ('leavesTo' in acted) return new Page(goView(acted.leavesTo, visit.look.texts));
  if ('done' in acted) return new SeeOther(pathOf(visit, acted));
  return new Page(await pageFor(dependencies, visit, login, {}, acted.show));
}

/** Nobody is logged in any more, whose account that was. */
async function gone({ look }: Visit): Promise<Reply> {
  const cookies = [{ name: 'session', value: undefined } as const];
  return new Page(deletedView(look), { cookies });
}

function findLogin(
  { browserLogins, clock }: AccountDependencies,
  { tenant, cookies }: Visit,
): Promise<BrowserLogin | undefined> {
  return browserLogins.find(tenant, cookies.session, null, clock.now());
}

function logIn({ beginOwnLogin }: AccountDependencies, visit: Visit): Promise<Reply> {
  return beginOwnLogin(visit.tenant, { flow: visit.cookies.flow, returnTo: pathOf(visit) });
}

/** The login that a change asks for; by default a recent one. */
function logInAgain(
  { beginOwnLogin }: AccountDependencies,
  visit: Visit,
  error?: AppError,
): Promise<Reply> {
  const { tenant, cookies } = visit;
  const { acr, maxAge = tenant.config.step_up_max_age } = error?.options.stepUp ?? {};
  const demand = { maxAge, ...(acr && { acrValues: [acr] }) };
  return beginOwnLogin(tenant, { flow: cookies.flow, returnTo: pathOf(visit), demand });
}

async function logOut(api: OwnApi): Promise<Reply> {
  const params = { session_id: api.login.sessionId };
  await api.call(deleteSession, { params, query: {}, body: undefined });
  const cookies = [{ name: 'session', value: undefined } as const];
  return new SeeOther(pathAtIssuer(api.tenant, '/account'), cookies);
}

function pathOf(
  { tenant, section, wanted }: Visit,
  told: { readonly done?: AccountDone; readonly locale?: TextLocale } = {},
): `/${string}` {
  const query = new URLSearchParams({ section, ...fieldsOf(wanted), ...told }).toString();
  return `${pathAtIssuer(tenant, '/account')}?${query}`;
}

/** What a login and a change of language have to come back with. */
export function fieldsOf({ agentRequest }: Wanted = {}): Readonly<Record<string, string>> {
  if (!agentRequest) return {};
  const { agent, scope, days } = agentRequest;
  return { agent, scope, ...(days !== undefined && { days: String(days) }) };
}

function carriedBy(
  { clock }: AccountDependencies,
  { tenant, section, token, look: { texts } }: Visit,
  { sessionId: session, authTime, acr }: BrowserLogin,
): Carried {
  const made = { auth_time: epochSeconds(authTime), acr };
  const demand = { maxAge: tenant.config.step_up_max_age };
  const now = clock.now();
  const fresh = isFresh(made, demand, epochSeconds(now));
  return { section, session, token, texts, isFresh: fresh, now };
}

async function pageFor(
  dependencies: AccountDependencies,
  visit: Visit,
  login: BrowserLogin,
  told: { readonly done?: AccountDone | undefined; readonly problem?: Html | string },
  shown?: Html,
): Promise<Html> {
  const { section, look } = visit;
  const carried = carriedBy(dependencies, visit, login);
  const api = ownApi(dependencies, placeOf(visit), login);
  const body = shown ?? (await SECTIONS[section].show(api, carried, visit.wanted ?? {}));
  // What is shown now only has no form for another language, which would lead away from it.
  const shownIn = shown ? { ...look, here: undefined } : look;
  return accountView({ ...carried, ...told, look: shownIn, identifier: login.identifier }, body);
}
