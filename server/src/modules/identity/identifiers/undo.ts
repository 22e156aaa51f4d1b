import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireRoomOfAddress, undoSubject } from '../../authentication/attempts/index.ts';
import { newUndoId, undoOfToken } from '../../authentication/message-codes/index.ts';
import { anonymous, record, sessionRevoked } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import { findUser, presentUser, raiseAuthVersion, replaceIdentifiers } from '../users/index.ts';
import { insertUndo, lockUserOf, takeUndos } from './undo-store.ts';
import { restoredBy } from './rules.ts';

export interface UndoDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  readonly notify: Notify;
}

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Requests of one address in a minute. */
const LIMITS = { login_attempts_limit: 30, login_attempts_window: 60 } as const;
const ROOM = { subjectOf: undoSubject, limits: LIMITS };
const REASON = 'identifiers_restored';

interface Before {
  readonly userId: UserId;
  readonly authVersion: number;
  readonly identifiers: readonly IdentifierRecord[];
}

/** For the notice of a change: what each address that is told of it can undo it with. */
export function undoFor(tx: TenantTx, { userId, authVersion, identifiers }: Before) {
  const expires_at = new Date(tx.now.getTime() + LIFE_MS);
  return async (destination: string): Promise<string | null> => {
    const id = newUndoId();
    const given = { id, auth_version: authVersion, destination, identifiers, expires_at };
    return (await insertUndo(tx, userId, given)) ? id : null;
  };
}

const REFUSED = 'This secret is wrong, has been used, or undoes nothing any more.';

type Refuse = Fail<'FLOW_ENDED' | 'TOO_MANY_ATTEMPTS'>;

/** Whoever read the message takes the account back, but not into a session. */
export async function undo(
  dependencies: UndoDependencies,
  tenant: Tenant,
  token: string,
  from: Origin,
  fail: Refuse,
): Promise<void> {
  const { gate, dataKeys, notify } = dependencies;
  await requireRoomOfAddress(dependencies, tenant, from, ROOM, fail);
  const refuse = () => fail('FLOW_ENDED', { detail: REFUSED });
  const id = (await dataKeys.use(tenant.id, (key) => undoOfToken(key, token))) ?? refuse();
  await gate.into(tenant.id).transaction(async (tx) => {
    const user = (await lockUserOf(tx, id)) ?? refuse();
    const wanted = restoredBy(id, await takeUndos(tx, user.id), tx.now) ?? refuse();
    const identifiers = await restore(tx, user.id, wanted);
    // An account without a verified one would pass to whoever reads the mail of another.
    if (!identifiers.some((one) => one.verified)) refuse();
    const sessions = await endSessionsOf(tx, user.id, REASON);
    await raiseAuthVersion(tx, user.id);
    await notify(tx, tenant, { userId: user.id, kind: 'notice.identifiers_restored' });
    await record(tx, anonymous(from), {
      action: 'identifier.restored',
      target: { kind: 'user', id: user.id },
      details: { sessions: sessions.length },
      events: [
        { type: 'user.updated', data: { user_id: user.id, fields: ['identifiers'] } },
        ...sessions.map((session) => sessionRevoked(session, REASON)),
      ],
    });
  });
}

/** Those of somebody else stay theirs. @returns what the locked user has now */
async function restore(
  tx: TenantTx,
  userId: UserId,
  wanted: readonly IdentifierRecord[],
): Promise<readonly IdentifierRecord[]> {
  if (await replaceIdentifiers(tx, userId, wanted)) return wanted;
  const row = await findUser(tx, userId);
  const free = row ? presentUser(row).identifiers : [];
  // Once more, so that their places have no gaps.
  if (free.length > 0) await replaceIdentifiers(tx, userId, free);
  return free;
}
