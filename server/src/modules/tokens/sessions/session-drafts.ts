// Drafts of sessions: what a request provides, and the row to be written.

import type { KeyObject } from 'node:crypto';
import type { CountedMethod } from '@keywright/contract/activity';
import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  TenantId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { newSessionId, randomId } from '../../../platform/crypto/ids.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { Device, Origin, SessionCookie } from '../../../tenancy/caller.ts';
import type { Attempt } from '../../../tenancy/counters.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { type SerializedChanges, serializeChanges } from '../../events/journal/index.ts';
import { mintOpaqueToken, mintSignedToken, refreshTokenHash } from '../access-tokens/index.ts';
import { type SessionTarget, requiresMetadata } from './session-tokens.ts';
import type { FlowVersion, NewClientSession } from './session-store.ts';

export interface SessionRequest {
  readonly permit: Permit;
  readonly workspaceId: WorkspaceId | undefined;
  readonly userAgent: string | null;
  readonly from: Origin;
  /** Whether the login presented no device token from an earlier login of the user. */
  readonly isNewDevice: boolean;
  /** The attempts that counted the login, which are discounted when it succeeds. */
  readonly attempts: readonly Attempt[];
  /** The flow that leads to the session and ends in the same statement, and the `jti` of the refresh token. */
  readonly flow?: FlowVersion & { readonly jti: string };
  /** The cookie that continues the session instead of tokens. */
  readonly cookie?: SessionCookie | undefined;
}

/** A request for a session that is continued by a refresh token. */
export interface DirectRequest extends SessionRequest {
  readonly cookie?: undefined;
}

/** The tenant's keys and status bit that every session needs. */
export interface SessionMaterial {
  readonly key: SigningKey;
  readonly auditKey: AuditKey;
  /** The status list bit of the session's tokens. */
  readonly bit: number;
}

/** The same for the session of an application. */
export interface ClientSessionMaterial extends SessionMaterial {
  /** The key of the MAC of the refresh token. */
  readonly refreshKey: KeyObject;
}

/** Requires that a permit is used in its own tenant. */
function requireTenant(tenant: Tenant, { tenantId }: Permit): TenantId {
  if (tenantId !== tenant.id) throw new Error(`A permit of ${tenantId} was used in ${tenant.id}.`);
  return tenantId;
}

export type SessionDraft = ReturnType<typeof draftSession>;

export function draftSession(
  tenant: Tenant,
  request: SessionRequest,
  { key, bit }: SessionMaterial,
  now: Date,
) {
  const { cookie } = request;
  const fields = {
    jti: request.flow?.jti ?? randomId(),
    userId: request.permit.userId,
    sessionId: newSessionId(now),
    issuedAt: now,
    ...lifetimesOf(secondsOf(tenant, cookie !== undefined), now),
    client: null,
  };
  const refreshToken = cookie ? '' : mintSignedToken(key, tenant, fields);
  const session = {
    ...request,
    kind: cookie ? ('browser' as const) : ('api' as const),
    tenantId: requireTenant(tenant, request.permit),
    id: fields.sessionId,
    address: request.from.address,
    now,
    expiresAt: fields.expiresAt,
    endsAt: fields.sessionEndsAt,
    secretHash: cookie?.secretHash ?? refreshTokenHash(refreshToken),
    refreshKid: cookie ? null : key.kid,
    bit,
  };
  return { key, cookie, refreshToken, session };
}

function secondsOf({ config }: Tenant, isInBrowser: boolean): Lifetimes {
  return isInBrowser
    ? [config.browser_session_idle_ttl, config.browser_session_ttl]
    : [config.refresh_token_ttl, config.refresh_token_absolute_ttl];
}

/** In seconds: how long a session lasts without being continued, and its maximum lifetime. */
type Lifetimes = readonly [sliding: number, absolute: number];

function lifetimesOf(
  [sliding, absolute]: Lifetimes,
  now: Date,
): { readonly expiresAt: Date; readonly sessionEndsAt: Date } {
  return {
    expiresAt: new Date(now.getTime() + Math.min(sliding, absolute) * 1000),
    sessionEndsAt: new Date(now.getTime() + absolute * 1000),
  };
}

/** The audit entry and events of a login in this workspace. */
export function loginChanges(
  key: AuditKey,
  tenant: Tenant,
  session: SessionDraft['session'],
  workspaceId: WorkspaceId,
): SerializedChanges {
  const { id: sessionId, permit, userAgent, from, isNewDevice, now } = session;
  const data = { user_id: permit.userId, session_id: sessionId, workspace_id: workspaceId };
  const method = countedMethodOf(permit);
  const change = {
    action: 'auth.login',
    target: { kind: 'session', id: sessionId },
    details: {
      user_agent: userAgent,
      workspace_id: workspaceId,
      ...(method && { method }),
      ...(permit.provider && { provider_id: permit.provider }),
    },
    events: [
      { type: 'user.login', data: { ...data, new_device: isNewDevice } },
      { type: 'session.created', data },
    ],
  } as const;
  return serializeChanges(
    key,
    tenant.id,
    { kind: 'user', subject: permit.userId, sessionId, from },
    [change],
    now,
  );
}

/** The counted method of a login is that of the first of these names (RFC 8176 §2) in its `amr`. */
const COUNTED_METHODS: readonly (readonly [amr: string, method: CountedMethod])[] = [
  ['pwd', 'password'],
  ['fed', 'provider'],
  ['email', 'message'],
  ['sms', 'message'],
  ['pop', 'passkey'],
];

function countedMethodOf({ amr }: Permit): CountedMethod | undefined {
  return COUNTED_METHODS.find(([name]) => amr.includes(name))?.[1];
}

/** Counts a login, its session and its tokens. */
export function countLogin(
  { count }: CountActivity,
  tenantId: TenantId,
  { permit, cookie }: SessionDraft['session'],
): void {
  const method = countedMethodOf(permit);
  if (method) count(tenantId, `logins.${method}`);
  count(tenantId, 'sessions_begun');
  if (!cookie) count(tenantId, 'tokens_issued');
}

/** The grant that an authorization code stands for. */
export interface Redemption {
  readonly clientId: OAuthClientId;
  /** The client's version when it authenticated. */
  readonly clientVersion: number;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  /** The browser session that the code was issued in. */
  readonly loginId: SessionId;
  readonly consent: { readonly id: ConsentId; readonly version: number };
  readonly codeHash: Buffer;
  readonly scopes: readonly string[];
  /** IDs of the resources that access tokens can be for; empty: only the tenant itself. */
  readonly targets: readonly string[];
  /** The granted `authorization_details` (RFC 9396); undefined: none. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  /** The `authorization_details` of the first access token, if the token request narrows them. */
  readonly detailsNow?: readonly AuthorizationDetail[] | undefined;
  /** The resource of the first access token; undefined: the tenant itself. */
  readonly target: SessionTarget | undefined;
  /** Userinfo claims that were requested by name. */
  readonly userinfoClaims: readonly string[];
  /** Whether the session ends with the browser session. */
  readonly endsWithLogin: boolean;
  /** Whether the client gets a refresh token. */
  readonly isRefreshable: boolean;
  /** Whether the refresh token is fixed, that is, not rotated. */
  readonly isFixed: boolean;
  /** Whether a second use of the code ends the session however soon it happens. */
  readonly endsAtSecondUse: boolean;
  /** Thumbprint of the key that the session's tokens are bound to. */
  readonly jkt?: string | undefined;
  /** Whether the client sees the metadata that administrators wrote about the user. */
  readonly showsMetadata: boolean;
}

export function draftClientSession(
  tenant: Tenant,
  redemption: Redemption,
  { from, userAgent }: Device,
  { refreshKey, auditKey, bit }: ClientSessionMaterial,
  now: Date,
): { readonly session: NewClientSession; readonly refreshToken: string } {
  const { clientId, userId, workspaceId, scopes, targets, details, isRefreshable, jkt } =
    redemption;
  const { config } = tenant;
  const id = newSessionId(now);
  const lifetimes = lifetimesOf(clientSecondsOf(redemption, config), now);
  const client = { id: clientId, scopes, targets, details, jkt };
  const fields = { jti: randomId(), userId, sessionId: id, issuedAt: now, ...lifetimes, client };
  const refreshToken = isRefreshable ? mintOpaqueToken(refreshKey, fields) : randomId();
  const data = { user_id: userId, session_id: id, workspace_id: workspaceId };
  const change = {
    action: 'auth.code_redeemed',
    target: { kind: 'session', id },
    details: { client_id: clientId, scopes: [...scopes], workspace_id: workspaceId },
    events: [{ type: 'session.created', data }],
  } as const;
  const by = { kind: 'app', subject: userId, clientId, sessionId: id, from } as const;
  const session = {
    ...redemption,
    tenantId: tenant.id,
    id,
    userAgent,
    address: from.address,
    now,
    expiresAt: lifetimes.expiresAt,
    endsAt: lifetimes.sessionEndsAt,
    secretHash: refreshTokenHash(refreshToken),
    bit,
    readsMetadata: redemption.showsMetadata || requiresMetadata(config.custom_claims),
    changes: serializeChanges(auditKey, tenant.id, by, [change], now),
  };
  return { session, refreshToken };
}

/** Uses of a fixed refresh token are not recorded, so it lasts as long as its session can. */
function clientSecondsOf(
  { isRefreshable, isFixed }: Redemption,
  config: Tenant['config'],
): Lifetimes {
  const { session_timeout: access, refresh_token_absolute_ttl: absolute } = config;
  // Without a refresh token the session lasts as long as its access token.
  if (!isRefreshable) return [access, access];
  return [isFixed ? absolute : config.refresh_token_ttl, absolute];
}
