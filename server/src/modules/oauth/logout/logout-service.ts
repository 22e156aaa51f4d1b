import { type SessionId, parseSessionId } from '@keywright/contract/ids';
import type { QueryOf } from '@keywright/contract/route';
import { askToLogOut, type endSession } from '@keywright/contract/routes/logout';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Wishes } from '../../../platform/texts/locales.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { FindLook } from '../../branding/brand/index.ts';
import { loggedOutView } from '../../branding/views/index.ts';
import { type BrowserLogin, type BrowserLogins, logOut } from '../../tokens/sessions/index.ts';
import type { OwnJwts } from '../../tokens/signing-keys/index.ts';
import { isVettedClient, redirectUrl } from '../authorize/index.ts';
import type { Clients, KnownClient } from '../clients/index.ts';
import type { SubjectIdentifiers } from '../id-tokens/index.ts';
import { clientToTell } from './backchannel-logout.ts';
import { type HintOf, judgeLogout } from './logout-rules.ts';
import { findToTell, findLoginOf } from './logout-store.ts';
import type { LogoutInProgress, ReturnTo, SealedLogouts } from './sealed-logouts.ts';

export interface LogoutDependencies {
  readonly gate: Gate;
  readonly clients: Clients;
  readonly browserLogins: BrowserLogins;
  readonly clock: Clock;
  readonly logouts: SealedLogouts;
  readonly subjects: SubjectIdentifiers;
  readonly jwts: OwnJwts;
  readonly findLook: FindLook;
}

export interface Cookies {
  readonly session?: string;
  readonly flow?: string;
}

type Parameters = QueryOf<typeof endSession>;

interface AskedLogout {
  readonly parameters: Parameters;
  readonly cookies: Cookies;
  readonly from: Origin;
  readonly wishes: Wishes;
}

/** A logout as an application asks for it: it is answered at once, or goes on with a page. */
export async function beginLogout(
  dependencies: LogoutDependencies,
  tenant: Tenant,
  { parameters, cookies, from, wishes }: AskedLogout,
): Promise<SeeOther<'session' | 'flow'> | Page<never, 'session'>> {
  const { browserLogins, clock, logouts } = dependencies;
  const now = clock.now();
  const login = await browserLogins.findEndable(tenant, cookies.session, now);
  const {
    hint,
    returnTo,
    returnsTo,
    isVetted = false,
  } = await verify(dependencies, tenant, parameters, login);
  const verdict = judgeLogout({ login, hint, returnsTo, isVetted });
  if (verdict.kind === 'leave') {
    if (login) await endLogin(dependencies, tenant, login, from);
    return new SeeOther(verdict.to, withoutSession(cookies));
  }
  if (!login) {
    const wished = (parameters.ui_locales ?? '').split(' ', 16);
    const look = await dependencies.findLook(tenant, { ...wishes, wished });
    const html = loggedOutView({ look, returnsTo: verdict.returnsTo });
    return new Page(html, { cookies: withoutSession(cookies) });
  }
  const { flow = randomId() } = cookies;
  const added: Cookie<'flow'>[] = cookies.flow === undefined ? [{ name: 'flow', value: flow }] : [];
  const { sessionId } = login;
  const isWanted = parameters.post_logout_redirect_uri !== undefined;
  const logout: LogoutInProgress = {
    sessionId,
    ...(verdict.returnsTo ? returnTo && { returnTo } : isWanted && { isRefusedReturn: true }),
  };
  const sealed = await logouts.seal(tenant.id, flow, logout, now);
  const page = pathAtIssuer(tenant, askToLogOut.path);
  return new SeeOther(`${page}?request=${sealed}`, added);
}

/** What the parameters say that can be relied on. */
async function verify(
  dependencies: LogoutDependencies,
  tenant: Tenant,
  parameters: Parameters,
  login: BrowserLogin | undefined,
): Promise<Verified> {
  const { id_token_hint: sent, client_id: named, post_logout_redirect_uri: uri } = parameters;
  const { clients, jwts } = dependencies;
  const read =
    sent === undefined ? undefined : await readHint(jwts, tenant, { hint: sent, clientId: named });
  if (sent !== undefined && !read) return { hint: 'nobody' };
  const clientId = read?.clientId ?? named;
  if (clientId === undefined) return { hint: undefined };
  const client = await clients.find(tenant.id, clientId);
  if (!client?.is_active) return { hint: read && 'nobody' };
  const hint = read && (await hintOf(dependencies, tenant, { client, login, hint: read }));
  if (uri === undefined) return { hint };
  const { state } = parameters;
  const returnTo = { clientId, redirectUri: uri, ...(state !== undefined && { state }) };
  const isVetted = isVettedClient(client, undefined, uri);
  return { hint, returnTo, returnsTo: addressOfReturn(client, returnTo), isVetted };
}

interface Verified {
  readonly hint: HintOf | undefined;
  readonly returnTo?: ReturnTo;
  readonly returnsTo?: URL | undefined;
  readonly isVetted?: boolean;
}

/** Ends a login, and what was opened in it. Twice at once it is recorded once. */
export function endLogin(
  { gate }: LogoutDependencies,
  { id: tenantId }: Tenant,
  { userId: subject, sessionId }: BrowserLogin,
  from: Origin,
): Promise<void> {
  return gate.into(tenantId).transaction(async (tx) => {
    const toTell = await findToTell(tx, sessionId);
    if (!(await logOut(tx, { kind: 'user', subject, sessionId, from }))) return;
    for (const key of toTell) tx.publish(clientToTell, { tenantId, key });
  });
}

/** Takes the cookie back, also that of a login that was over already. */
export function withoutSession({ session }: Cookies): Cookie<'session'>[] {
  return session === undefined ? [] : [{ name: 'session', value: undefined }];
}

/** What an ID token says of its login. */
interface ReadHint {
  readonly clientId: string;
  readonly subject: string;
  readonly sessionId: SessionId | undefined;
  readonly authTime: unknown;
}

/** An ID token that this tenant issued to the client that the request names, however long ago. */
async function readHint(
  jwts: OwnJwts,
  tenant: Tenant,
  { hint, clientId }: { readonly hint: string; readonly clientId: string | undefined },
): Promise<ReadHint | undefined> {
  const expected = { kind: 'ID token', allowExpired: true, retiredToo: true } as const;
  const claims = await jwts.verify(tenant, hint, expected);
  const { aud, sub, sid, auth_time: authTime } = claims ?? {};
  if (typeof aud !== 'string' || typeof sub !== 'string') return undefined;
  // OpenID Connect RP-Initiated Logout §2: both must name the same client.
  if (clientId !== undefined && clientId !== aud) return undefined;
  const sessionId = typeof sid === 'string' ? parseSessionId(sid) : undefined;
  return { clientId: aud, subject: sub, sessionId, authTime };
}

interface HintDependencies {
  readonly gate: Gate;
  readonly subjects: SubjectIdentifiers;
}

/** Whether an ID token was issued in this login. */
async function hintOf(
  { gate, subjects }: HintDependencies,
  tenant: Tenant,
  { client, login, hint }: HintedLogin,
): Promise<HintOf> {
  if (!login) return 'another login';
  const subject = await subjects.of(tenant.id, client, login.userId);
  if (subject !== hint.subject) return 'another login';
  // Of a session that outlives its login, or that is gone: the moment of the login is known to nobody else.
  if (hint.authTime === epochSeconds(login.authTime)) return 'this login';
  const { sessionId } = hint;
  const openedIn =
    sessionId && (await gate.into(tenant.id).transaction((tx) => findLoginOf(tx, sessionId)));
  return openedIn === login.sessionId ? 'this login' : 'another login';
}

interface HintedLogin {
  readonly client: KnownClient;
  readonly login: Pick<BrowserLogin, 'sessionId' | 'userId' | 'authTime'> | undefined;
  readonly hint: ReadHint;
}

/** The address to return to, if this client has registered it: character by character (RFC 9700 §4.1.3). */
export function addressOfReturn(
  client: KnownClient | undefined,
  { redirectUri, state }: Pick<ReturnTo, 'redirectUri' | 'state'>,
): URL | undefined {
  if (!client?.is_active || !client.post_logout_redirect_uris.includes(redirectUri)) {
    return undefined;
  }
  if (state === undefined) return new URL(redirectUri);
  return redirectUrl(redirectUri, new Map([['state', state]]));
}
