import type { Fail } from '@keywright/contract/errors';
import { type SessionId, type TenantId, parseSessionId } from '@keywright/contract/ids';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import {
  showLogoutPage,
  type confirmLogout,
  type endSession,
  showLoggedOut,
} from '@keywright/contract/routes/logout';
import { epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Wishes } from '../../../platform/texts/locales.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Tenant, pathAtIssuer } from '../../../tenancy/tenant.ts';
import type { LookService } from '../../branding/brand/index.ts';
import { loggedOutView, logoutView, redirectView, stayedView } from '../../branding/views/index.ts';
import { type BrowserLogin, type BrowserLogins, logOut } from '../../tokens/sessions/index.ts';
import type { ApplicationJwts } from '../../tokens/signing-keys/index.ts';
import { isVettedClient, redirectUrl } from '../authorize/index.ts';
import type { Clients, LoadedClient } from '../clients/index.ts';
import type { Seals } from '../grants/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';
import { logoutDue } from './backchannel-logout.ts';
import { type LogoutHint, judgeLogout } from './logout-rules.ts';
import { findClientsToNotify, findLoginOf, findNotifications } from './logout-store.ts';

interface Cookies {
  readonly session?: string;
  readonly flow?: string;
}

type LogoutParameters = QueryOf<typeof endSession>;

/** A logout request of a client, sent through the browser. */
interface LogoutRequest {
  readonly tenant: Tenant;
  readonly parameters: LogoutParameters;
  readonly cookies: Cookies;
  readonly from: Origin;
  readonly wishes: Wishes;
}

/** A request of the browser for a logout page. */
interface PageRequest {
  readonly tenant: Tenant;
  /** The sealed logout. */
  readonly request: string;
  readonly cookies: Cookies;
  readonly wishes: Wishes;
}

type LogoutPage = Page<never, 'session'>;

/** The verified parameters of a logout. */
interface VerifiedParameters {
  readonly hint: LogoutHint | undefined;
  readonly returnTo?: ReturnAddress;
  readonly returnsTo?: URL | undefined;
  readonly isVetted?: boolean;
}

/** The logout that a page shows, and the login that it would end. */
interface OpenedLogout {
  readonly login: BrowserLogin | undefined;
  readonly returnsTo: URL | undefined;
  readonly isRefusedReturn: boolean;
  /** Whether the browser can return without a click. */
  readonly isVetted: boolean;
}

/** Logs users out on request of clients (OpenID Connect RP-Initiated Logout). */
export class LogoutService {
  readonly #core: Core;
  readonly #clients: Clients;
  readonly #browserLogins: BrowserLogins;
  readonly #logouts: SealedLogouts;
  readonly #subjects: SubjectIdentifiers;
  readonly #jwts: ApplicationJwts;
  readonly #looks: LookService;

  constructor(
    core: Core,
    clients: Clients,
    browserLogins: BrowserLogins,
    logouts: SealedLogouts,
    subjects: SubjectIdentifiers,
    jwts: ApplicationJwts,
    looks: LookService,
  ) {
    this.#core = core;
    this.#clients = clients;
    this.#browserLogins = browserLogins;
    this.#logouts = logouts;
    this.#subjects = subjects;
    this.#jwts = jwts;
    this.#looks = looks;
  }

  /** Ends the login immediately, or sends the browser to a page that asks the user. */
  async start({
    tenant,
    parameters,
    cookies,
    from,
    wishes,
  }: LogoutRequest): Promise<SeeOther<'session' | 'flow'> | LogoutPage> {
    const now = this.#core.clock.now();
    const login = await this.#browserLogins.findEndable(tenant, cookies.session, now);
    const verified = await this.#verify(tenant, parameters, login);
    const { hint, returnTo, returnsTo, isVetted = false } = verified;
    const verdict = judgeLogout({ login, hint, returnsTo, isVetted });
    if (verdict.kind === 'leave') {
      if (login) await this.#end(tenant, login, from);
      return new SeeOther(verdict.to, withoutSession(cookies));
    }
    if (!login) {
      const wished = (parameters.ui_locales ?? '').split(' ', 16);
      const look = await this.#looks.find(tenant, { ...wishes, wished });
      return loggedOutPage(cookies, loggedOutView({ look, returnsTo: verdict.returnsTo }));
    }
    const { flow = randomId() } = cookies;
    const added: Cookie<'flow'>[] =
      cookies.flow === undefined ? [{ name: 'flow', value: flow }] : [];
    const { sessionId } = login;
    const namesAddress = parameters.post_logout_redirect_uri !== undefined;
    const logout: PendingLogout = {
      sessionId,
      ...(verdict.returnsTo ? returnTo && { returnTo } : namesAddress && { isRefusedReturn: true }),
    };
    const sealed = await this.#logouts.seal(tenant.id, flow, logout, now);
    const page = pathAtIssuer(tenant, showLogoutPage.path);
    return new SeeOther(`${page}?request=${sealed}`, added);
  }

  /** Shows the page that asks the user, unless the login has ended in the meantime. */
  async showConfirmation(
    page: PageRequest,
    token: Html,
    fail: Fail<'FORM_TOO_OLD'>,
  ): Promise<LogoutPage> {
    const { login, returnsTo, isRefusedReturn } = await this.#open(page, fail);
    const { tenant, request, wishes, cookies } = page;
    const look = await this.#looks.find(tenant, wishes, { action: 'confirm', fields: { request } });
    if (!login) return loggedOutPage(cookies, loggedOutView({ look, returnsTo }));
    const shown = { tenantName: tenant.name, identifier: login.identifier };
    return new Page(logoutView({ look, request, token, ...shown, returnsTo, isRefusedReturn }));
  }

  /** Carries out the user's choice. An ended login has a page of its own, which can be reloaded. */
  async confirm(
    page: PageRequest,
    { action, from }: { readonly action: BodyOf<typeof confirmLogout>['action']; from: Origin },
    fail: Fail<'FORM_TOO_OLD'>,
  ): Promise<LogoutPage | SeeOther<'session'>> {
    const { login, returnsTo, isVetted } = await this.#open(page, fail);
    const { tenant, cookies, wishes } = page;
    const look = await this.#looks.find(tenant, wishes);
    if (action === 'stay' && login) return new Page(stayedView({ look, returnsTo }));
    if (login) await this.#end(tenant, login, from);
    if (returnsTo && isVetted) return loggedOutPage(cookies, redirectView(returnsTo, look.texts));
    if (returnsTo || !login || cookies.flow === undefined) {
      return loggedOutPage(cookies, loggedOutView({ look, returnsTo }));
    }
    const { sessionId } = login;
    const now = this.#core.clock.now();
    const ended = await this.#logouts.sealEnded(tenant.id, cookies.flow, { sessionId }, now);
    const address = pathAtIssuer(tenant, showLoggedOut.path);
    return new SeeOther(`${address}?request=${ended}`, withoutSession(cookies));
  }

  /** Shows which clients have been notified so far of an ended login. */
  async showLoggedOut(
    { tenant, request, cookies, wishes }: PageRequest,
    fail: Fail<'FORM_TOO_OLD'>,
  ): Promise<Page> {
    const { gate, clock } = this.#core;
    const ended = await this.#logouts.openEnded(tenant.id, cookies.flow, request, clock.now());
    const { sessionId } = ended ?? fail('FORM_TOO_OLD');
    const data = gate.into(tenant.id);
    const applications = await data.transaction((tx) => findNotifications(tx, sessionId));
    const look = await this.#looks.find(tenant, wishes);
    const again = `${pathAtIssuer(tenant, showLoggedOut.path)}?request=${request}`;
    return new Page(loggedOutView({ look, returnsTo: undefined, applications, again }));
  }

  async #verify(
    tenant: Tenant,
    parameters: LogoutParameters,
    login: BrowserLogin | undefined,
  ): Promise<VerifiedParameters> {
    const { id_token_hint: token, client_id: named, post_logout_redirect_uri: uri } = parameters;
    const read = token === undefined ? undefined : await this.#readHint(tenant, token, named);
    if (token !== undefined && !read) return { hint: 'unverified' };
    const clientId = read?.clientId ?? named;
    if (clientId === undefined) return { hint: undefined };
    const client = await this.#clients.find(tenant.id, clientId);
    if (!client?.is_active) return { hint: read && 'unverified' };
    const hint = read && (await this.#matchHint(tenant, client, login, read));
    if (uri === undefined) return { hint };
    const { state } = parameters;
    const returnTo = { clientId, redirectUri: uri, ...(state !== undefined && { state }) };
    const isVetted = isVettedClient(client, undefined, uri);
    return { hint, returnTo, returnsTo: registeredAddress(client, returnTo), isVetted };
  }

  /** Reads an ID token that this tenant issued to the client of the request, even if it has expired. */
  async #readHint(
    tenant: Tenant,
    token: string,
    clientId: string | undefined,
  ): Promise<ReadHint | undefined> {
    const expected = { kind: 'ID token', allowExpired: true, retiredToo: true } as const;
    const claims = await this.#jwts.verify(tenant, token, expected);
    const { aud, sub, sid, auth_time: authTime } = claims ?? {};
    if (typeof aud !== 'string' || typeof sub !== 'string') return undefined;
    // OpenID Connect RP-Initiated Logout §2: the ID token and the request must name the same client.
    if (clientId !== undefined && clientId !== aud) return undefined;
    const sessionId = typeof sid === 'string' ? parseSessionId(sid) : undefined;
    return { clientId: aud, subject: sub, sessionId, authTime };
  }

  /** Whether an ID token was issued in this login. */
  async #matchHint(
    tenant: Tenant,
    client: LoadedClient,
    login: BrowserLogin | undefined,
    hint: ReadHint,
  ): Promise<LogoutHint> {
    if (!login) return 'another login';
    const subject = await this.#subjects.of(tenant.id, client, login.userId);
    if (subject !== hint.subject) return 'another login';
    // Also matches a session that was deleted or outlives its login: only tokens of this login have the same second.
    if (hint.authTime === epochSeconds(login.authTime)) return 'this login';
    const { sessionId } = hint;
    const data = this.#core.gate.into(tenant.id);
    const openedIn = sessionId && (await data.transaction((tx) => findLoginOf(tx, sessionId)));
    return openedIn === login.sessionId ? 'this login' : 'another login';
  }

  /**
   * @throws AppError FORM_TOO_OLD unless the logout was requested in this browser, and for its current login, if any
   */
  async #open(
    { tenant, request, cookies }: PageRequest,
    fail: Fail<'FORM_TOO_OLD'>,
  ): Promise<OpenedLogout> {
    const now = this.#core.clock.now();
    const logout: PendingLogout =
      (await this.#logouts.open(tenant.id, cookies.flow, request, now)) ?? fail('FORM_TOO_OLD');
    const login = await this.#browserLogins.findEndable(tenant, cookies.session, now);
    if (login && login.sessionId !== logout.sessionId) fail('FORM_TOO_OLD');
    const { returnTo, isRefusedReturn = false } = logout;
    const client = returnTo && (await this.#clients.find(tenant.id, returnTo.clientId));
    const returnsTo = returnTo && registeredAddress(client, returnTo);
    if (!client || isVettedClient(client, undefined, returnTo.redirectUri)) {
      return { login, returnsTo, isRefusedReturn, isVetted: true };
    }
    const browserLogin = await this.#browserLogins.find(tenant, cookies.session, client.id, now);
    const isVetted = isVettedClient(client, browserLogin?.consent, returnTo.redirectUri);
    return { login, returnsTo, isRefusedReturn, isVetted };
  }

  /** Ends a login and the sessions opened in it. Of two concurrent requests, only one is recorded. */
  #end(
    { id: tenantId }: Tenant,
    { userId: subject, sessionId }: BrowserLogin,
    from: Origin,
  ): Promise<void> {
    return this.#core.gate.into(tenantId).transaction(async (tx) => {
      const clientIds = await findClientsToNotify(tx, sessionId);
      if (!(await logOut(tx, { kind: 'user', subject, sessionId, from }))) return;
      for (const key of clientIds) tx.publish(logoutDue, { tenantId, key });
    });
  }
}

/** The claims of an ID token that identify its login. */
interface ReadHint {
  readonly clientId: string;
  readonly subject: string;
  readonly sessionId: SessionId | undefined;
  readonly authTime: unknown;
}

/** Removes the cookie, even if its login had already ended. */
function withoutSession({ session }: Cookies): Cookie<'session'>[] {
  return session === undefined ? [] : [{ name: 'session', value: undefined }];
}

function loggedOutPage(cookies: Cookies, html: Html): LogoutPage {
  return new Page(html, { cookies: withoutSession(cookies) });
}

/** Returns the return address if this client has registered it, compared character by character (RFC 9700 §4.1.3). */
function registeredAddress(
  client: LoadedClient | undefined,
  { redirectUri, state }: ReturnAddress,
): URL | undefined {
  if (!client?.is_active || !client.post_logout_redirect_uris.includes(redirectUri)) {
    return undefined;
  }
  if (state === undefined) return new URL(redirectUri);
  return redirectUrl(redirectUri, new Map([['state', state]]));
}

/** How long the page that asks the user remains usable. */
const LIFETIME_SECONDS = 30 * 60;
/**
 * How long the page about an ended login remains usable. It is short because other people could use this browser by
 * then.
 */
const ENDED_LIFETIME_SECONDS = 10 * 60;

/** The address to which the user returns, verified before the page is shown and again after the form is submitted. */
interface ReturnAddress {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state?: string;
}

/** A logout that a page asks the user to confirm. The browser holds it; it is not stored. */
export interface PendingLogout {
  /** The login to end: another login in the same browser is not affected. */
  readonly sessionId: SessionId;
  readonly returnTo?: ReturnAddress;
  /** The client named an untrusted address. */
  readonly isRefusedReturn?: true;
}

/** A login that was ended on a page, which shows the notified clients. */
type EndedLogin = Pick<PendingLogout, 'sessionId'>;

type Expiring<Value> = Value & { readonly exp: number };

/** Seals logouts for a browser's cookie: they cannot be opened in another browser. */
export class SealedLogouts {
  readonly #seals: Seals;

  constructor(seals: Seals) {
    this.#seals = seals;
  }

  seal(tenantId: TenantId, cookie: string, logout: PendingLogout, now: Date): Promise<string> {
    const exp = epochSeconds(now) + LIFETIME_SECONDS;
    return this.#seals.seal({ ...logout, exp }, { tenantId, purpose: 'logout', boundTo: cookie });
  }

  sealEnded(tenantId: TenantId, cookie: string, ended: EndedLogin, now: Date): Promise<string> {
    const exp = epochSeconds(now) + ENDED_LIFETIME_SECONDS;
    const place = { tenantId, purpose: 'ended login', boundTo: cookie } as const;
    return this.#seals.seal({ ...ended, exp }, place);
  }

  /** Undefined if it was sealed for another browser, or has expired. */
  open(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<PendingLogout | undefined> {
    return this.#open<PendingLogout>('logout', tenantId, cookie, text, now);
  }

  /** Undefined if it was sealed for another browser, or has expired. */
  openEnded(
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<EndedLogin | undefined> {
    return this.#open<EndedLogin>('ended login', tenantId, cookie, text, now);
  }

  async #open<Value extends object>(
    purpose: 'logout' | 'ended login',
    tenantId: TenantId,
    cookie: string | undefined,
    text: string,
    now: Date,
  ): Promise<Value | undefined> {
    if (cookie === undefined) return undefined;
    const place = { tenantId, purpose, boundTo: cookie };
    const opened = (await this.#seals.open(text, place)) as Expiring<Value> | undefined;
    return opened && epochSeconds(now) < opened.exp ? opened : undefined;
  }
}
