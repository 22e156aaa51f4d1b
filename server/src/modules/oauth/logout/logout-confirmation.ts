import type { Fail } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import { type confirmLogout, showLoggedOut } from '@keywright/contract/routes/logout';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Wishes } from '../../../platform/texts/locales.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { leaveView, loggedOutView, logoutView, stayedView } from '../../branding/views/index.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';
import { isVettedClient } from '../authorize/index.ts';
import {
  addressOfReturn,
  type Cookies,
  endLogin,
  type LogoutDependencies,
  withoutSession,
} from './logout-service.ts';
import type { LogoutInProgress } from './sealed-logouts.ts';
import { findTold } from './logout-store.ts';

/** What the browser sends to the page. */
interface Visit {
  readonly tenant: Tenant;
  /** The logout in progress, sealed. */
  readonly request: string;
  readonly cookies: Cookies;
  readonly wishes: Wishes;
}

type Refuse = Fail<'FORM_TOO_OLD'>;
type LogoutPage = Page<never, 'session'>;

/** The page that asks, unless the login has ended meanwhile. */
export async function showLogout(
  dependencies: LogoutDependencies,
  visit: Visit,
  token: Html,
  fail: Refuse,
): Promise<LogoutPage> {
  const { login, returnsTo, isRefusedReturn } = await arrive(dependencies, visit, fail);
  const { tenant, request } = visit;
  const look = await dependencies.findLook(tenant, visit.wishes, {
    action: 'confirm',
    fields: { request },
  });
  if (!login) return over(visit, loggedOutView({ look, returnsTo }));
  const shown = { tenantName: tenant.name, identifier: login.identifier };
  return new Page(logoutView({ look, request, token, ...shown, returnsTo, isRefusedReturn }));
}

/** What the user answered. A login that has ended has a page of its own, which can be loaded again. */
export async function decideLogout(
  dependencies: LogoutDependencies,
  visit: Visit,
  { action, from }: { readonly action: BodyOf<typeof confirmLogout>['action']; from: Origin },
  fail: Refuse,
): Promise<LogoutPage | SeeOther<'session'>> {
  const { login, returnsTo, isVetted } = await arrive(dependencies, visit, fail);
  const { tenant, cookies, wishes } = visit;
  const look = await dependencies.findLook(tenant, wishes);
  if (action === 'stay' && login) return new Page(stayedView({ look, returnsTo }));
  if (login) await endLogin(dependencies, tenant, login, from);
  if (returnsTo && isVetted) return over(visit, leaveView(returnsTo, look.texts));
  if (returnsTo) return over(visit, loggedOutView({ look, returnsTo }));
  if (!login || cookies.flow === undefined) return over(visit, loggedOutView({ look, returnsTo }));
  const { clock, logouts } = dependencies;
  const { sessionId } = login;
  const ended = await logouts.sealEnded(tenant.id, cookies.flow, { sessionId }, clock.now());
  const page = pathAtIssuer(tenant, showLoggedOut.path);
  return new SeeOther(`${page}?request=${ended}`, withoutSession(cookies));
}

/** Who was told of a login that has ended, as far as that is known now: it waits for nobody. */
export async function tellWhoKnows(
  { gate, clock, logouts, findLook }: LogoutDependencies,
  { tenant, request, cookies, wishes }: Visit,
  fail: Refuse,
): Promise<Page> {
  const ended = await logouts.openEnded(tenant.id, cookies.flow, request, clock.now());
  const { sessionId } = ended ?? fail('FORM_TOO_OLD');
  const applications = await gate.into(tenant.id).transaction((tx) => findTold(tx, sessionId));
  const look = await findLook(tenant, wishes);
  const again = `${pathAtIssuer(tenant, showLoggedOut.path)}?request=${request}`;
  return new Page(loggedOutView({ look, returnsTo: undefined, applications, again }));
}

function over({ cookies }: Visit, html: Html): LogoutPage {
  return new Page(html, { cookies: withoutSession(cookies) });
}

/** @throws AppError FORM_TOO_OLD unless the logout was asked for in this browser, for the login that it has now if any */
async function arrive(
  { clients, browserLogins, clock, logouts }: LogoutDependencies,
  { tenant, request, cookies }: Visit,
  fail: Refuse,
): Promise<Arrived> {
  const now = clock.now();
  const logout: LogoutInProgress =
    (await logouts.open(tenant.id, cookies.flow, request, now)) ?? fail('FORM_TOO_OLD');
  const login = await browserLogins.findEndable(tenant, cookies.session, now);
  if (login && login.sessionId !== logout.sessionId) fail('FORM_TOO_OLD');
  const { returnTo, isRefusedReturn = false } = logout;
  const client = returnTo && (await clients.find(tenant.id, returnTo.clientId));
  const returnsTo = returnTo && addressOfReturn(client, returnTo);
  if (!client || isVettedClient(client, undefined, returnTo.redirectUri)) {
    return { login, returnsTo, isRefusedReturn, isVetted: true };
  }
  const known = await browserLogins.find(tenant, cookies.session, client.id, now);
  const isVetted = isVettedClient(client, known?.consent, returnTo.redirectUri);
  return { login, returnsTo, isRefusedReturn, isVetted };
}

interface Arrived {
  readonly login: BrowserLogin | undefined;
  readonly returnsTo: URL | undefined;
  readonly isRefusedReturn: boolean;
  /** Whether the browser may return by itself. */
  readonly isVetted: boolean;
}
