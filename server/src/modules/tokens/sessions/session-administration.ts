import type { Fail } from '@keywright/contract/errors';
import {
  type UserId,
  parseSessionId,
  type SessionId,
  type TenantId,
} from '@keywright/contract/ids';
import type { SessionRecord, SessionEndReason } from '@keywright/contract/records/session';
import type { QueryOf } from '@keywright/contract/route';
import type { listSessions } from '@keywright/contract/routes/sessions';
import { missingScopes } from '@keywright/contract/scopes';
import { listed, type Page, readPage } from '../../../platform/db/page.ts';
import {
  type Caller,
  hasLentPermissions,
  isOneself,
  type UserCaller,
} from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { asTenant, type SystemTx } from '../../../tenancy/system.ts';
import {
  record,
  sessionRevoked,
  type Actor,
  type EndedSession,
} from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import {
  countSessions,
  findSessions,
  type Owners,
  type SessionRow,
  endSession,
  endSessionsOf,
  type EndedFamily,
  endNextSessions,
  runDeferredTriggers,
} from './administration-store.ts';
import { findSessionOwner } from './session-store.ts';

/** Sessions of everyone or of one user for who may read them, less those of whom the caller acts for; otherwise the caller's own. */
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
  return listed(page, rows, total, cursorOf, (row) => present(row, now));
}

const LACKED = { detail: 'The token lacks: read:sessions.' };

function visibleOwners(
  caller: Caller,
  asked: UserId | undefined,
  fail: Fail<'SCOPE_REQUIRED' | 'PRINCIPAL_PROTECTED'>,
): Owners {
  if (missingScopes(caller.scopes, ['read:sessions']).length === 0) {
    if (!hasLentPermissions(caller)) return { only: asked };
    return asked === caller.subject
      ? fail('PRINCIPAL_PROTECTED')
      : { only: asked, except: caller.subject };
  }
  if (asked !== undefined && !isOneself(caller, asked)) {
    fail('SCOPE_REQUIRED', LACKED);
  }
  return caller.kind === 'user' ? { only: caller.subject } : fail('SCOPE_REQUIRED', LACKED);
}

function cursorOf(row: SessionRow, _page: Page): string {
  return row.created_at.toISOString();
}

function present(row: SessionRow, now: Date): SessionRecord {
  return {
    id: row.id,
    user_id: row.user_id,
    tenant_id: row.tenant_id,
    workspace_id: row.workspace_id,
    device_info: { user_agent: row.user_agent, ip_address: row.ip_address, location: null },
    kind: row.kind as SessionRecord['kind'],
    client_id: row.client_id,
    parent_id: row.parent_id,
    scopes: row.scopes,
    auth_time: row.auth_time.toISOString(),
    acr: row.acr as SessionRecord['acr'],
    amr: row.amr,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_active: row.is_active && row.expires_at > now,
    ...endOf(row, now),
  };
}

function endOf(row: SessionRow, now: Date): Pick<SessionRecord, 'end_reason' | 'ended_at'> {
  const end_reason = row.end_reason as SessionRecord['end_reason'];
  if (!row.is_active) return { end_reason, ended_at: row.ended_at?.toISOString() ?? null };
  if (row.expires_at > now) return { end_reason: null, ended_at: null };
  return { end_reason: 'expired', ended_at: row.expires_at.toISOString() };
}

/** Ends the session that a user's own token or cookie belongs to. @returns whether it was alive */
export async function logOut(
  tx: TenantTx,
  by: Pick<UserCaller, 'kind' | 'subject' | 'sessionId' | 'from'>,
): Promise<boolean> {
  const { subject, sessionId } = by;
  const ended = await endSession(tx, sessionId, 'logout');
  if (!ended) return false;
  await record(tx, by, {
    action: 'auth.logout',
    target: { kind: 'session', id: sessionId },
    events: [
      { type: 'user.logout', data: { user_id: subject, session_id: sessionId } },
      ...[ended.session, ...ended.children].map((one) => sessionRevoked(one, 'logout')),
    ],
  });
  return true;
}

/** Ends one session: an own one, or with delete:sessions that of a user the caller may act on. */
export async function revokeSession(
  tenant: TenantData,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>,
): Promise<SessionId> {
  const sessionId = parseSessionId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    const owner = (await findSessionOwner(tx, sessionId)) ?? fail('NOT_FOUND');
    await requireMayEnd(tx, caller, owner, fail);
    const ended = await endSession(tx, sessionId, 'revoked');
    if (!ended) return fail('NOT_FOUND', { detail: 'This session has already ended.' });
    await recordEnd(tx, caller, ended, 'revoked');
  });
  return sessionId;
}

/** Ends every session of a user. @returns how many were alive. */
export function revokeSessionsOf(
  tenant: TenantData,
  caller: Caller,
  userId: UserId,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>,
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

/** Without the scope, other users' sessions count as unknown. */
async function requireMayEnd(
  tx: TenantTx,
  caller: Caller,
  owner: UserId,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>,
): Promise<void> {
  if (isOneself(caller, owner)) return;
  if (missingScopes(caller.scopes, ['delete:sessions']).length > 0) fail('NOT_FOUND');
  await requireMayActOnUser(tx, caller, owner, fail);
}

/** Number of sessions that one statement ends. */
const BATCH = 1000;

/** Ends every living session of the tenant in batches, and records each batch. @returns their number */
export async function endAllSessions(
  tx: SystemTx,
  tenantId: TenantId,
  by: Actor,
  reason: SessionEndReason,
): Promise<number> {
  let total = 0;
  for (let last = ''; ;) {
    const ended = await asTenant(tx, tenantId, (own) => endBatch(own, by, reason, last));
    // Otherwise all triggers of all sessions would run within the commit.
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
    events: ended.map((one) => sessionRevoked(one, reason)),
  });
  return ended;
}

/** Records that a session was ended individually, and what ended with it. */
export function recordEnd(
  tx: TenantTx,
  by: Actor,
  { session, children }: EndedFamily,
  reason: SessionEndReason,
): Promise<void> {
  return record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'session', id: session.id },
    details: { reason, user_id: session.user_id },
    events: [session, ...children].map((ended) => sessionRevoked(ended, reason)),
  });
}
