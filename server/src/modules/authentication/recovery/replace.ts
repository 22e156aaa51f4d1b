import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import { lockUser, raiseAuthVersion, setSecretHash } from '../../identity/users/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import type { FlowUser } from '../flows/index.ts';

const REASON = 'password_changed';

/**
 * Replaces a forgotten password, and ends all sessions: whoever knew it may have them.
 * @returns the new version of the user; undefined if they have changed meanwhile
 */
export async function replacePassword(
  tx: TenantTx,
  user: FlowUser,
  secretHash: string,
  from: Origin,
): Promise<number | undefined> {
  if (!(await lockUser(tx, user))) return undefined;
  await setSecretHash(tx, user.id, secretHash);
  const sessions = await endSessionsOf(tx, user.id, REASON);
  const authVersion = await raiseAuthVersion(tx, user.id);
  await record(tx, anonymous(from), {
    action: 'user.recovered',
    target: { kind: 'user', id: user.id },
    details: { sessions: sessions.length },
    events: [
      { type: 'password.recovered', data: { user_id: user.id } },
      { type: 'user.updated', data: { user_id: user.id, fields: ['password'] } },
      ...sessions.map((session) => sessionRevoked(session, REASON)),
    ],
  });
  return authVersion;
}
