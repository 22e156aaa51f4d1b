import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Acr } from '@keywright/contract/authentication';
import { type CredentialClaims, DIRECT_CLIENT } from '@keywright/contract/claims';
import type { FailureOptions } from '@keywright/contract/failure-options';
import {
  type AgentId,
  type ApiKeyId,
  type OAuthClientId,
  type SessionId,
  type TenantId,
  type UserId,
  type WorkspaceId,
  parseSessionId,
} from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { FastifyRequest } from 'fastify';
import { epochSeconds } from '../platform/clock.ts';
import type { Share } from '../platform/crypto/password.ts';
import { sha256 } from '../platform/crypto/sealed.ts';
import { clientNetwork } from '../platform/http/client-network.ts';
import type { Tenant } from './tenant.ts';

/** The origin of a request, for the audit log. */
export interface Origin {
  /** IP address of the client. */
  readonly address: string;
  readonly requestId: string;
}

interface Credential {
  /** Upper bound of the permissions. */
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** Whether the caller holds `system_admin` in the tenant that defines that role. */
  readonly isSystemAdministrator: boolean;
  readonly from: Origin;
  /** The claims that verify-token returns for the credential. */
  readonly claims: CredentialClaims;
}

/** A user who logged in directly. */
export interface UserCaller extends Credential {
  readonly kind: 'user';
  readonly subject: UserId;
  readonly sessionId: SessionId;
}

/** A system administrator acting inside a tenant (RFC 8693 §4.1 `act`). They are not a user of the tenant. */
interface Impersonator extends Credential {
  readonly kind: 'impersonator';
  readonly subject: UserId;
  readonly sessionId: SessionId;
}

/** An agent, by its API key or its own token. */
export interface AgentCaller extends Credential {
  readonly kind: 'agent';
  readonly subject: AgentId;
  /** The key that was presented, or that the token was issued for. */
  readonly keyId: ApiKeyId | undefined;
  /** The current agent, if authentication has read it. */
  readonly record?: AgentRecord;
}

/** An agent that acts for a user. */
export interface Delegate extends Credential {
  readonly kind: 'delegate';
  readonly subject: UserId;
  readonly agentId: AgentId;
}

/**
 * An application that a user logged in to: an OAuth client with a token for the access the user consented to. The
 * application never counts as the user.
 */
export interface AppCaller extends Credential {
  readonly kind: 'app';
  readonly subject: UserId;
  readonly clientId: OAuthClientId;
  readonly sessionId: SessionId;
}

/** The caller of a request, as identified by the credential. */
export type Caller = UserCaller | Impersonator | AgentCaller | Delegate | AppCaller;

/**
 * The claimed caller, before the credential is known to be alive. Functions that take a caller do not accept it: only
 * handlers that declare it can read with it.
 */
export interface UnconfirmedCaller {
  readonly claimed: Caller;
}

/** A component of the service, or its operator at the command line. */
export interface SystemActor {
  readonly kind: 'system';
  readonly name: string;
}

/** Whether the caller is this user in person. */
export function isOneself(caller: Caller, userId: string): boolean {
  return caller.kind === 'user' && caller.subject === userId;
}

const REPRESENTATIVES: readonly Caller['kind'][] = ['delegate', 'impersonator', 'app'];

/** Whether the caller acts for this user: a delegate, an impersonator, or an application. */
export function isInTheNameOf(caller: Caller, userId: string): boolean {
  return REPRESENTATIVES.includes(caller.kind) && caller.subject === userId;
}

/** Whether a user lent the caller its permissions and can revoke them. */
export function hasLentPermissions(caller: Caller): caller is Delegate | AppCaller {
  return caller.kind === 'delegate' || caller.kind === 'app';
}

/** A name of the caller that is unique within the tenant. */
export function nameOf(caller: Caller): string {
  if (caller.kind === 'delegate') return `${caller.agentId} for ${caller.subject}`;
  return caller.kind === 'app' ? `${caller.clientId} for ${caller.subject}` : caller.subject;
}

/** The device and browser of a login. */
export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
  /** The device token in the cookie of a browser on a page. Pages do not send `device_token` in a body. */
  readonly token?: string;
  /** Set on our own pages: the login sets this cookie instead of issuing tokens. */
  readonly cookie?: SessionCookie | undefined;
}

const SECRET_BYTES = 32;

/** Returns the stored hash of a browser session's secret. No refresh token can have the same hash. */
function cookieSecretHash(secret: string): Buffer {
  return sha256(`browser session ${secret}`);
}

/** Returns the session that a cookie names and the hash of its secret; undefined if the cookie is malformed. */
export function readSessionCookie(
  cookie: string | undefined,
): { readonly session: SessionId; readonly secretHash: Buffer } | undefined {
  const at = cookie?.lastIndexOf('.') ?? -1;
  const session = parseSessionId(cookie?.slice(0, Math.max(at, 0)) ?? '');
  if (!cookie || !session) return undefined;
  return { session, secretHash: cookieSecretHash(cookie.slice(at + 1)) };
}

/**
 * The cookie that a browser login sets. The caller that requests the session stores the cookie, so no result contains
 * it.
 */
export class SessionCookie {
  readonly secretHash: Buffer;
  readonly #secret = randomBytes(SECRET_BYTES).toString('base64url');
  #sessionId: SessionId | undefined;

  constructor() {
    this.secretHash = cookieSecretHash(this.#secret);
  }

  opened(id: SessionId): void {
    this.#sessionId = id;
  }

  /** Undefined until its session is open. */
  get value(): string | undefined {
    return this.#sessionId && `${this.#sessionId}.${this.#secret}`;
  }

  /** The same. */
  get sessionId(): SessionId | undefined {
    return this.#sessionId;
  }
}

/** The DPoP proof of a request, not verified (RFC 9449 §4.1), and what it must match. */
export interface PresentedProof {
  readonly jwt: string;
  readonly method: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  /** Present if the host named the tenant; any other host is only a claim of the client. */
  readonly host: string | undefined;
}

/** The credential of a request. */
export interface PresentedCredential {
  readonly token: string;
  /** Of the header Authorization. */
  readonly scheme: 'bearer' | 'dpop';
  readonly proof: PresentedProof | undefined;
  /** The credential was accepted before. This use consumes nothing and does not count as another one. */
  readonly isAgain?: true;
}

const BASE = 'http://localhost';
const AUTHORIZATION = /^(?<scheme>bearer|dpop) (?<token>.+)$/is;

/**
 * Returns the credential of the Authorization header; undefined without one. The credential's parser validates its
 * characters.
 */
export function presentedCredential(request: FastifyRequest): PresentedCredential | undefined {
  const { scheme, token } = AUTHORIZATION.exec(request.headers.authorization ?? '')?.groups ?? {};
  if (scheme === undefined || token === undefined) return undefined;
  const isDpop = scheme.toLowerCase() === 'dpop';
  return { token, scheme: isDpop ? 'dpop' : 'bearer', proof: presentedProof(request) };
}

const HOW = 'Send Authorization: Bearer <token>, with an access token or an API key.';

/** Explains why a request has no credential, for TOKEN_INVALID. */
export function describeMissing({ authorization }: IncomingHttpHeaders): FailureOptions {
  const why =
    authorization === undefined
      ? 'The request has no Authorization header.'
      : 'The Authorization header does not have the form Bearer <token>.';
  return { detail: `${why} ${HOW}` };
}

/** Returns the path of a request target, which can be an absolute URL (RFC 9112 §3.2.2). */
function pathIn(url: string): string {
  return URL.canParse(url, BASE) ? new URL(url, BASE).pathname : '';
}

/** Returns the request's DPoP proof. Repeated headers are joined by a comma, which no proof contains. */
export function presentedProof(request: FastifyRequest): PresentedProof | undefined {
  const { headers, method, url, params, peer } = request;
  const { dpop, 'x-tenant-id': named } = headers;
  if (dpop === undefined) return undefined;
  const isOfHost = named === undefined && !Object.hasOwn(Object(params), 'tenant_id');
  return {
    jwt: String(dpop),
    method,
    path: pathIn(url),
    host: isOfHost ? peer.host : undefined,
  };
}

/** A user's login that the service knows without a token. */
interface Login {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly workspaceId: WorkspaceId;
  readonly authTime: Date;
  readonly acr: Acr;
  readonly expiresAt: Date;
}

/** What a user is allowed to do with their own login. */
interface Rights {
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  /** The access version of the session's access tokens. Tokens issued to this caller depend on those. */
  readonly accessVersion?: number;
  readonly amr?: readonly string[];
  readonly isSystemAdministrator?: boolean;
}

/**
 * Returns the user in person as a caller. Without scopes, the default, they can do only what every user can do to
 * their own account.
 */
export function userCallerOf(
  tenant: Tenant,
  login: Login,
  from: Origin,
  {
    scopes = [],
    roles = [],
    accessVersion: ver = 0,
    amr,
    isSystemAdministrator = false,
  }: Rights = {},
): UserCaller {
  const { userId: subject, sessionId, authTime, acr, workspaceId } = login;
  const at = epochSeconds(authTime);
  return {
    kind: 'user',
    subject,
    sessionId,
    scopes: [...scopes],
    roles: [...roles],
    isSystemAdministrator,
    from,
    claims: {
      token_type: 'access',
      iss: tenant.issuer,
      sub: subject,
      aud: tenant.audience,
      iat: at,
      exp: epochSeconds(login.expiresAt),
      tenant_id: tenant.id,
      workspace_id: workspaceId,
      roles: [...roles],
      scopes: [...scopes],
      scope: scopes.join(' '),
      sid: sessionId,
      client_id: DIRECT_CLIENT,
      auth_time: at,
      acr,
      ...(amr && { amr: [...amr] }),
      ver,
    },
  };
}

/** The share of a hash: tenants take turns, and within each the networks of clients. */
export function hashShare(tenantId: TenantId, from: Origin): Share {
  return { flow: tenantId, source: clientNetwork(from.address) };
}
