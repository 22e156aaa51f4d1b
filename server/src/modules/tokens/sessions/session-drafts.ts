import type { CountedMethod } from '@keywright/contract/activity';
import type { TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { newSessionId, randomId } from '../../../platform/crypto/ids.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { SessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import type { Attempt } from '../../authentication/attempts/index.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { type SerializedChanges, serializeChanges } from '../../events/journal/index.ts';
import { mintRefreshToken, refreshTokenHash } from '../access-tokens/index.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import type { FlowVersion } from './session-store.ts';

export interface SessionRequest {
  readonly permit: Permit;
  readonly workspaceId: WorkspaceId | undefined;
  readonly userAgent: string | null;
  readonly from: Origin;
  /** It presented no token of an earlier login of the user. */
  readonly isNewDevice: boolean;
  /** What the login was counted by, which is given back. */
  readonly attempts: readonly Attempt[];
  /** The flow that leads to it, which ends in the same statement, and the `jti` of the refresh token. */
  readonly flow?: FlowVersion & { readonly jti: string };
  /** It is continued by this cookie, and there are no tokens. */
  readonly cookie?: SessionCookie | undefined;
}

/** Without a cookie. */
export interface DirectRequest extends SessionRequest {
  readonly cookie?: undefined;
}

/** What sessions are opened with. */
export interface SessionDependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
}

export interface OpeningDependencies extends SessionDependencies {
  readonly noteLogin: NoteUse<UserId>;
  readonly activity: CountActivity;
}

type Means = Awaited<ReturnType<typeof takeMeans>>;

/** What each session needs of its tenant. */
export async function takeMeans({ keys, bits }: SessionDependencies, { id }: Tenant) {
  const [key, auditKey, bit] = await Promise.all([
    keys.signer(id),
    getAuditKey(keys, id),
    bits.take(id),
  ]);
  return { key, auditKey, bit };
}

/** What was decided in one tenant opens nothing in another. */
function permitted(tenant: Tenant, { tenantId }: Permit): TenantId {
  if (tenantId !== tenant.id) throw new Error(`A permit of ${tenantId} was used in ${tenant.id}.`);
  return tenantId;
}

/** A session that is not written yet. */
export type Draft = ReturnType<typeof draft>;

export function draft(tenant: Tenant, request: SessionRequest, { key, bit }: Means, now: Date) {
  const { cookie } = request;
  const fields = {
    jti: request.flow?.jti ?? randomId(),
    userId: request.permit.userId,
    sessionId: newSessionId(now),
    issuedAt: now,
    ...lifetimesOf(secondsOf(tenant, cookie !== undefined), now),
    client: null,
  };
  const refreshToken = cookie ? '' : mintRefreshToken(key, tenant, fields);
  const session = {
    ...request,
    kind: cookie ? ('browser' as const) : ('api' as const),
    tenantId: permitted(tenant, request.permit),
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

/** In seconds: unless it is continued, and at most. */
export type Lifetimes = readonly [sliding: number, absolute: number];

export function lifetimesOf(
  [sliding, absolute]: Lifetimes,
  now: Date,
): { readonly expiresAt: Date; readonly sessionEndsAt: Date } {
  return {
    expiresAt: new Date(now.getTime() + Math.min(sliding, absolute) * 1000),
    sessionEndsAt: new Date(now.getTime() + absolute * 1000),
  };
}

async function getAuditKey(keys: KeyRing, tenantId: TenantId): Promise<AuditKey> {
  const key = await keys.auditKeys.find(tenantId);
  if (!key) throw new Error(`The tenant ${tenantId} has no data key.`);
  return key;
}

export function serializedChangesOf(
  key: AuditKey,
  tenant: Tenant,
  drafted: Draft['session'],
  workspaceId: WorkspaceId,
): SerializedChanges {
  const { id: sessionId, permit, userAgent, from, isNewDevice, now } = drafted;
  const session = { user_id: permit.userId, session_id: sessionId, workspace_id: workspaceId };
  const change = {
    action: 'auth.login',
    target: { kind: 'session', id: sessionId },
    details: {
      user_agent: userAgent,
      workspace_id: workspaceId,
      ...(permit.provider && { provider_id: permit.provider }),
    },
    events: [
      { type: 'user.login', data: { ...session, new_device: isNewDevice } },
      { type: 'session.created', data: session },
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

/** By what a login with one of these (RFC 8176 §2) began; the first that is there counts. */
const BEGAN_WITH: readonly (readonly [amr: string, method: CountedMethod])[] = [
  ['pwd', 'password'],
  ['fed', 'provider'],
  ['email', 'message'],
  ['sms', 'message'],
  ['pop', 'passkey'],
];

/** Counts a login, the session that it began, and its tokens. */
export function countLogin(
  { count }: CountActivity,
  tenantId: TenantId,
  { permit, cookie }: Draft['session'],
): void {
  const method = BEGAN_WITH.find(([amr]) => permit.amr.includes(amr))?.[1];
  if (method) count(tenantId, `logins.${method}`);
  count(tenantId, 'sessions_begun');
  if (!cookie) count(tenantId, 'tokens_issued');
}
