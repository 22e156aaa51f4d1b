import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import { lockUnchangedUser, raiseAuthVersion, setSecretHash } from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import type { FlowUser } from '../flows/index.ts';

const REASON = 'password_changed';

/**
 * Replaces a password that was forgotten or is known to others, and ends all sessions: whoever knew it may have them.
 * @returns the new version of the user; undefined if they have changed meanwhile
 */
export async function replacePassword(
  tx: TenantTx,
  user: FlowUser,
  secretHash: string,
  { from, isForgotten }: { readonly from: Origin; readonly isForgotten: boolean },
): Promise<number | undefined> {
  if (!(await lockUnchangedUser(tx, user))) return undefined;
  await setSecretHash(tx, user.id, secretHash);
  const sessions = await endSessionsOf(tx, user.id, REASON);
  const authVersion = await raiseAuthVersion(tx, user.id);
  await record(tx, anonymous(from), {
    action: isForgotten ? 'user.recovered' : 'user.updated',
    target: { kind: 'user', id: user.id },
    details: { sessions: sessions.length, ...(isForgotten ? {} : { fields: ['password'] }) },
    events: [
      ...(isForgotten ? [recovered(user)] : []),
      { type: 'user.updated', data: { user_id: user.id, fields: ['password'] } },
      ...sessions.map((session) => sessionRevoked(session, REASON)),
    ],
  });
  return authVersion;
}

function recovered({ id }: FlowUser) {
  return { type: 'password.recovered', data: { user_id: id } } as const;
}
