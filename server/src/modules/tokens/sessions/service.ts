import type { Fail } from '@keywright/contract/errors';
import { parseSessionId, type SessionId, type UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import { type Caller, isOneself, type UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record, sessionRevoked } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import { recordEnd } from './ended.ts';
import { endSession, endSessionsOf } from './end-store.ts';
import { findSessionOwner } from './store.ts';

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
