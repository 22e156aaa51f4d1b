import { isFresh, scopeChallenge } from '@keywright/contract/assurance';
import { AppError, fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { needsAdministrator, type Route, scopesToEnter } from '@keywright/contract/route';
import { impersonate } from '@keywright/contract/routes/auth';
import { missingScopes, type Scope } from '@keywright/contract/scopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Caller,
  type Origin,
  type PresentedCredential,
  type UnconfirmedCaller,
  describeMissing,
  hasLentPermissions,
  nameOf,
  presentedCredential,
} from './caller.ts';
import {
  type ConsolePlace,
  consolePlaceOf,
  isFromConsole,
} from '../platform/http/console-requests.ts';
import { originHeaders } from './cors.ts';
import type { TenantDirectory } from './directory.ts';
import { cookieOf, requireSameOrigin } from './pages.ts';
import { describeUnknown, findTenant, requireActive, whileThere } from './resolve.ts';
import type { Tenant } from './tenant.ts';

/** The identity that a credential claims. */
interface Authenticated extends UnconfirmedCaller {
  /** Whether the credential and everything it depends on are alive; undefined if already known. */
  readonly alive: Promise<boolean> | undefined;
}

/**
 * Identifies the caller within the tenant, from the bearer token or API key, or from the secret of a browser session.
 * @throws AppError TOKEN_INVALID, TENANT_MISMATCH, BROWSER_SESSION_REQUIRED
 */
export type Authenticate = (
  tenant: Tenant,
  credential: PresentedCredential,
  from: Origin,
) => Promise<Authenticated>;

/** The services that identify the caller of a request. */
export interface IdentityMeans {
  readonly directory: TenantDirectory;
  readonly authenticate: Authenticate;
  /** Authenticates by the secret of a browser session. */
  readonly authenticateBrowser: Authenticate;
  /**
   * Authenticates a system administrator inside the tenant, by the secret of a browser session in the administrator's
   * own tenant.
   */
  readonly authenticateInside: Authenticate;
  /** The public address of the service. */
  readonly baseUrl: () => string;
  /** Returns the nonce for the next DPoP proof; undefined where the tenant does not require one. */
  readonly nextNonce: (tenant: Tenant) => Promise<string | undefined>;
}

/** The identity of a request as known so far. */
export interface RequestIdentity extends Partial<Authenticated> {
  readonly tenant?: Tenant;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: RequestIdentity;
  }
}

/** Returns the tenant of a request and the claimed caller, which `authorizeRequest` confirms. */
export async function identify(
  route: Route,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  means: IdentityMeans,
): Promise<RequestIdentity> {
  const { directory, nextNonce } = means;
  if (route.access === 'open') {
    reply.headers(originHeaders(route, undefined, request.headers));
    return {};
  }
  // Layer 3 of tenant isolation: first the tenant, then the credential inside it.
  const named = await findTenant(directory, request, route.tenant);
  // Scripts can also read why a request was rejected.
  reply.headers(originHeaders(route, named, request.headers));
  if (!named && route.tenant !== 'path') {
    fail('TENANT_NOT_FOUND', describeUnknown(request, means.baseUrl()));
  }
  const tenant = requireActive(named);
  request.facts.tenant = tenant.id;
  if (request.headers.dpop !== undefined) setNonceHeader(reply, await nextNonce(tenant));
  requireSameOrigin(route, request, tenant);
  const place = consolePlaceOf(request.raw);
  // A cookie belongs to the tenant of its login, which can differ from the tenant of the request.
  const home = place === 'inside' ? await findHome(directory) : tenant;
  if (place) requireConsole(route, request, home);
  if (route.access === 'tenant') return { tenant };
  const isByCookie = route.access === 'browser' || place !== undefined;
  const { claimed, alive } = await inside(directory, tenant, () => {
    const credential = isByCookie ? cookieCredential(request, home) : tokenCredential(request);
    return meansFor(place, isByCookie, means)(tenant, credential, originOf(request));
  });
  return { tenant, claimed, alive };
}

function meansFor(
  place: ConsolePlace | undefined,
  isByCookie: boolean,
  { authenticate, authenticateBrowser, authenticateInside }: IdentityMeans,
): Authenticate {
  if (place === 'inside') return authenticateInside;
  return isByCookie ? authenticateBrowser : authenticate;
}

/** The tenant of system administrators. */
async function findHome(directory: TenantDirectory): Promise<Tenant> {
  return requireActive(await directory.findById(DEFAULT_TENANT));
}

/**
 * @throws AppError TOKEN_INVALID, TENANT_NOT_FOUND, TENANT_INACTIVE, or the reason why the caller cannot use the route
 */
export async function authorizeRequest(
  route: Route,
  { identity, facts }: FastifyRequest,
  directory: TenantDirectory,
  now: () => Date,
): Promise<void> {
  const { tenant, claimed: caller, alive } = identity ?? {};
  if (!tenant || !caller) return;
  // An impersonator's session belongs to another tenant, and does not show whether this one is active.
  if (caller.kind === 'impersonator') requireActive(await directory.queryById(tenant.id));
  const isAlive = alive === undefined || (await inside(directory, tenant, () => alive));
  if (!isAlive) fail(route.access === 'browser' ? 'BROWSER_SESSION_REQUIRED' : 'TOKEN_INVALID');
  facts.subject = nameOf(caller);
  requireAccess(route, caller);
  requireFreshLogin(route, tenant, caller, now());
}

/** Whether the caller of an ongoing request, such as a stream, is still authorized for its route. */
export async function isStillAuthorized(
  route: Route,
  request: FastifyRequest,
  means: IdentityMeans,
): Promise<boolean> {
  const { directory } = means;
  const { tenant: earlier } = request.identity;
  const tenant = earlier && (await directory.findById(earlier.id));
  if (!tenant?.isActive) return false;
  const place = consolePlaceOf(request.raw);
  const isByCookie = place !== undefined;
  try {
    const home = place === 'inside' ? await findHome(directory) : tenant;
    const credential = isByCookie ? cookieCredential(request, home) : tokenCredential(request);
    const again = { ...credential, isAgain: true } as const;
    const authenticate = meansFor(place, isByCookie, means);
    const { claimed, alive } = await authenticate(tenant, again, originOf(request));
    if (alive !== undefined && !(await alive)) return false;
    requireAccess(route, claimed);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'UNAVAILABLE') return false;
    throw error;
  }
}

/** RFC 9449 §8.2: sends the nonce with every response, including successes, so that the next proof uses it. */
function setNonceHeader(reply: FastifyReply, nonce: string | undefined): void {
  if (nonce !== undefined) reply.header('dpop-nonce', nonce);
}

/** @throws AppError the reason why the caller cannot use the route */
export function requireAccess(route: Route, caller: Caller): void {
  requireKind(route, caller);
  requireScope(route, caller);
}

/** Whether the caller is authorized for the route. */
export function hasAccess(route: Route, caller: Caller): boolean {
  try {
    requireAccess(route, caller);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** A request that races with the deletion of its tenant gets the same response as one after it. */
function inside<T>(directory: TenantDirectory, { id }: Tenant, work: () => Promise<T>): Promise<T> {
  return whileThere(directory, id, work, requireActive);
}

export function originOf(request: FastifyRequest): Origin {
  return { address: request.peer.address, requestId: request.id };
}

/**
 * Requires the console's own origin, because any page in the browser could send a request with the cookie. Refuses to
 * issue a token, which a script could steal.
 */
function requireConsole(route: Route, request: FastifyRequest, { issuer }: Tenant): void {
  if (!isFromConsole(request.raw, issuer)) fail('ORIGIN_REFUSED');
  if (route.id === impersonate.id) fail('TOKEN_FOR_BROWSER_REFUSED');
}

function tokenCredential(request: FastifyRequest): PresentedCredential {
  return presentedCredential(request) ?? fail('TOKEN_INVALID', describeMissing(request.headers));
}

function cookieCredential(request: FastifyRequest, tenant: Tenant): PresentedCredential {
  const token = cookieOf(request, 'session', tenant) ?? fail('BROWSER_SESSION_REQUIRED');
  return { token, scheme: 'bearer', proof: undefined };
}

function requireKind(route: Route, caller: Caller): void {
  if (route.access === 'browser' && caller.kind !== 'user') fail('BROWSER_SESSION_REQUIRED');
  if (route.access === 'user' && caller.kind !== 'user') {
    fail(caller.kind === 'impersonator' ? 'IMPERSONATION_REFUSED' : 'USER_REQUIRED');
  }
  if (route.access === 'system' && !caller.isSystemAdministrator) {
    fail('SYSTEM_ADMINISTRATOR_REQUIRED');
  }
  if (route.access === 'caller' && caller.kind === 'app') fail('APPLICATION_REFUSED');
  if (needsAdministrator(route)) requireAdministrator(caller);
}

/**
 * SPEC authentication 9b. A caller who acts for a user is not an administrator either.
 * @throws AppError ADMINISTRATOR_REQUIRED
 */
export function requireAdministrator(caller: Caller): void {
  if (caller.kind === 'agent' || hasLentPermissions(caller)) fail('ADMINISTRATOR_REQUIRED');
}

/** Callers whose credentials come from a login; an impersonator's login is in the home tenant. */
const LOGGED_IN: readonly Caller['kind'][] = ['user', 'app', 'impersonator'];

/** @throws AppError STEP_UP_REQUIRED */
export function requireFreshLogin(
  { fresh }: Pick<Route, 'fresh'>,
  { config }: Tenant,
  caller: Caller,
  now: Date,
): void {
  if (!fresh || !LOGGED_IN.includes(caller.kind)) return;
  const requirement = { maxAge: config.step_up_max_age, ...fresh };
  if (!isFresh(caller.claims, requirement, now.getTime() / 1000)) {
    fail('STEP_UP_REQUIRED', { stepUp: requirement });
  }
}

function requireScope(route: Route, caller: Caller): void {
  const [scope, ...others] = scopesToEnter(route);
  if (scope === undefined) return;
  // The body determines which of several scopes is needed, and is not read yet.
  const hasOther = others.some(
    (alternative) => missingScopes(caller.scopes, [alternative]).length === 0,
  );
  if (!hasOther) requireScopes(caller, [scope], others);
}

/**
 * @param instead alternative scopes; one of them suffices
 * @throws AppError SCOPE_REQUIRED
 */
export function requireScopes(
  caller: Caller,
  needed: readonly Scope[],
  instead: readonly Scope[] = [],
): void {
  const missing = missingScopes(caller.scopes, needed);
  if (missing.length === 0) return;
  const lacked = [missing.join(', '), ...instead].join(' or ');
  fail('SCOPE_REQUIRED', {
    detail: `The token lacks: ${lacked}.`,
    challenge: scopeChallenge(missing),
  });
}

/** Requires a recent login, as a route with `fresh: {}` does. @throws AppError STEP_UP_REQUIRED */
export function requireFresh(tenant: Tenant, caller: Caller, now: Date): void {
  requireFreshLogin({ fresh: {} }, tenant, caller, now);
}
