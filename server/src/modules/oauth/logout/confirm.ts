import type { Fail } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import type { confirmLogout } from '@keywright/contract/routes/logout';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { leaveView, loggedOutView, logoutView, stayedView } from '../../pages/hosted/index.ts';
import type { BrowserLogin } from '../../tokens/sessions/index.ts';
import { addressOfReturn } from './return-to.ts';
import type { LogoutInProgress } from './sealed.ts';
import { type Cookies, endLogin, type LogoutDependencies, withoutSession } from './service.ts';

/** What the browser sends to the page. */
interface Visit {
  readonly tenant: Tenant;
  /** The logout in progress, sealed. */
  readonly request: string;
  readonly cookies: Cookies;
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
  const look = await dependencies.findLook(tenant);
  if (!login) return over(visit, loggedOutView({ look, returnsTo }));
  const shown = { tenantName: tenant.name, identifier: login.identifier };
  return new Page(logoutView({ look, request, token, ...shown, returnsTo, isRefusedReturn }));
}

/** What the user answered. */
export async function decideLogout(
  dependencies: LogoutDependencies,
  visit: Visit,
  { action, from }: { readonly action: BodyOf<typeof confirmLogout>['action']; from: Origin },
  fail: Refuse,
): Promise<LogoutPage> {
  const { login, returnsTo } = await arrive(dependencies, visit, fail);
  const look = await dependencies.findLook(visit.tenant);
  if (action === 'stay' && login) return new Page(stayedView({ look, returnsTo }));
  const opened = login ? await endLogin(dependencies, visit.tenant, login, from) : [];
  if (returnsTo) return over(visit, leaveView(returnsTo, look.texts));
  const names = (isTold: boolean) =>
    opened.filter((one) => one.is_told === isTold).map((one) => one.name);
  const [told, notTold] = [names(true), names(false)];
  return over(visit, loggedOutView({ look, returnsTo, told, notTold }));
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
  return { login, returnsTo: returnTo && addressOfReturn(client, returnTo), isRefusedReturn };
}

interface Arrived {
  readonly login: BrowserLogin | undefined;
  readonly returnsTo: URL | undefined;
  readonly isRefusedReturn: boolean;
}
