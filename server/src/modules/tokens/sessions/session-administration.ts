import type { Fail } from '@keywright/contract/errors';
import {
  parseSessionId,
  type SessionId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import type { SessionEndReason, SessionRecord } from '@keywright/contract/records/session';
import type { QueryOf } from '@keywright/contract/route';
import type { listSessions } from '@keywright/contract/routes/sessions';
import { missingScopes } from '@keywright/contract/scopes';
import { listed, readPage } from '../../../platform/db/page.ts';
import {
  type Caller,
  type UserCaller,
  hasLentPermissions,
  isOneself,
} from '../../../tenancy/caller.ts';
import { type SystemTx, type TenantData, type TenantTx, asTenant } from '../../../tenancy/gate.ts';
import {
  type Actor,
  type EndedSession,
  record,
  sessionRevoked,
} from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import {
  countSessions,
  endFamily,
  endNextSessions,
  endSessionsOf,
  findSessionOwner,
  findSessions,
  type Owners,
  runDeferredTriggers,
  type SessionRow,
} from './administration-store.ts';

/**
 * Lists sessions. Callers with the scope to read them see the sessions of all users or of one, except those of the
 * user that the caller acts for; other callers see their own sessions.
 */
export async function listSessionsFor(
  tenant: TenantData,
  caller: Caller,
  query: QueryOf<typeof listSessions>,
  now: Date,
  fail: Fail<'SCOPE_REQUIRED' | 'PRINCIPAL_PROTECTED' | 'VALIDATION_FAILED'>,
) {
  const owners = visibleOwners(caller, query.user_id, fail);
  const { only: userId, except } = owners;
  const { is_active: active, state, client_id: clientId } = query;
  const isActive = active === undefined ? undefined : active === 'true';
  const filter = { ...owners, clientId, isActive, state };
  const list = [tenant.tenantId, 'sessions', userId ?? '', except ?? ''];
  const page = readPage(list, query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findSessions(tx, page, filter), await countSessions(tx, filter)] as const,
  );
  const cursorOf = (row: SessionRow) => row.created_at.toISOString();
  return listed(page, rows, total, cursorOf, (row) => presentSession(row, now));
}

const LACKED = { detail: 'The token lacks: read:sessions.' };

function visibleOwners(
  caller: Caller,
  userId: UserId | undefined,
  fail: Fail<'SCOPE_REQUIRED' | 'PRINCIPAL_PROTECTED'>,
): Owners {
  if (missingScopes(caller.scopes, ['read:sessions']).length === 0) {
    if (!hasLentPermissions(caller)) return { only: userId };
    return userId === caller.subject
      ? fail('PRINCIPAL_PROTECTED')
      : { only: userId, except: caller.subject };
  }
  if (userId !== undefined && !isOneself(caller, userId)) fail('SCOPE_REQUIRED', LACKED);
  return caller.kind === 'user' ? { only: caller.subject } : fail('SCOPE_REQUIRED', LACKED);
}

function presentSession(row: SessionRow, now: Date): SessionRecord {
  return {
    id: row.id,
    user_id: row.user_id,
    tenant_id: row.tenant_id,
    workspace_id: row.workspace_id,
    device_info: { user_agent: row.user_agent, ip_address: row.ip_address, location: null },
    kind: row.kind,
    client_id: row.client_id,
    parent_id: row.parent_id,
    scopes: row.scopes,
    auth_time: row.auth_time.toISOString(),
    acr: row.acr,
    amr: row.amr,
    created_at: row.created_at.toISOString(),
    last_used_at: row.refresh_issued_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_active: row.is_active && row.expires_at > now,
    ...presentEnd(row, now),
  };
}

function presentEnd(row: SessionRow, now: Date): Pick<SessionRecord, 'end_reason' | 'ended_at'> {
  const { end_reason } = row;
  if (!row.is_active) return { end_reason, ended_at: row.ended_at?.toISOString() ?? null };
  if (row.expires_at > now) return { end_reason: null, ended_at: null };
  return { end_reason: 'expired', ended_at: row.expires_at.toISOString() };
}

/** Ends a session and its child sessions. @returns whether it was alive */
export async function endSession(
  tx: TenantTx,
  by: Actor,
  id: SessionId,
  reason: SessionEndReason,
): Promise<boolean> {
  const ended = await endFamily(tx, id, reason);
  if (!ended) return false;
  const { session, children } = ended;
  await record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'session', id },
    details: { reason, user_id: session.user_id },
    events: [session, ...children].map((candidate) => sessionRevoked(candidate, reason)),
  });
  return true;
}

/** Ends the session of a user's token or cookie. @returns whether it was alive */
export async function logOut(
  tx: TenantTx,
  by: Pick<UserCaller, 'kind' | 'subject' | 'sessionId' | 'from'>,
): Promise<boolean> {
  const { subject, sessionId } = by;
  const ended = await endFamily(tx, sessionId, 'logout');
  if (!ended) return false;
  await record(tx, by, {
    action: 'auth.logout',
    target: { kind: 'session', id: sessionId },
    events: [
      { type: 'user.logout', data: { user_id: subject, session_id: sessionId } },
      ...[ended.session, ...ended.children].map((session) => sessionRevoked(session, 'logout')),
    ],
  });
  return true;
}

type RefuseEnd = Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>;

/** Ends a session of the caller or, with `delete:sessions`, of a user that the caller may act on. */
export async function revokeSession(
  tenant: TenantData,
  caller: Caller,
  id: string,
  fail: RefuseEnd,
): Promise<SessionId> {
  const sessionId = parseSessionId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    const owner = (await findSessionOwner(tx, sessionId)) ?? fail('NOT_FOUND');
    await requireMayEnd(tx, caller, owner, fail);
    if (!(await endSession(tx, caller, sessionId, 'revoked'))) {
      fail('NOT_FOUND', { detail: 'This session has already ended.' });
    }
  });
  return sessionId;
}

/** Ends every session of a user. @returns the number of sessions that were alive */
export function revokeSessionsOf(
  tenant: TenantData,
  caller: Caller,
  userId: UserId,
  fail: RefuseEnd,
): Promise<number> {
  return tenant.transaction(async (tx) => {
    await requireMayEnd(tx, caller, userId, fail);
    const ended = await endSessionsOf(tx, userId, 'revoked');
    await record(tx, caller, {
      action: 'session.revoked',
      target: { kind: 'user', id: userId },
      details: { reason: 'revoked', sessions: ended.length },
      events: ended.map((session) => sessionRevoked(session, 'revoked')),
    });
    return ended.length;
  });
}

/** Requires permission to end the owner's sessions. Without the scope, other users' sessions are unknown. */
async function requireMayEnd(
  tx: TenantTx,
  caller: Caller,
  owner: UserId,
  fail: RefuseEnd,
): Promise<void> {
  if (isOneself(caller, owner)) return;
  if (missingScopes(caller.scopes, ['delete:sessions']).length > 0) fail('NOT_FOUND');
  await requireMayActOnUser(tx, caller, owner, fail);
}

/** The number of sessions that one statement ends. */
const BATCH = 1000;

/** Ends every live session of the tenant in batches, and records each batch. @returns the number of ended sessions */
export async function endAllSessions(
  tx: SystemTx,
  tenantId: TenantId,
  by: Actor,
  reason: SessionEndReason,
): Promise<number> {
  let total = 0;
  for (let last = ''; ;) {
    const ended = await asTenant(tx, tenantId, (inTenant) => endBatch(inTenant, by, reason, last));
    // Otherwise the triggers of all sessions would run during the commit.
    await runDeferredTriggers(tx);
    const id = ended.at(-1)?.id;
    if (id === undefined) return total;
    total += ended.length;
    last = id;
  }
}

async function endBatch(
  tx: TenantTx,
  by: Actor,
  reason: SessionEndReason,
  after: string,
): Promise<EndedSession[]> {
  const ended = await endNextSessions(tx, reason, after, BATCH);
  if (ended.length === 0) return ended;
  await record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { reason, sessions: ended.length },
    events: ended.map((session) => sessionRevoked(session, reason)),
  });
  return ended;
}
