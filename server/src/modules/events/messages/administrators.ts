import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { findAdministrators, findFirstIdentifier } from './administrators-store.ts';
import type { LoginsChange } from './message.ts';
import type { QueueMessage } from './service.ts';
import { findSenderIn, type Sender } from './store.ts';

/** After which a notice is not news. */
const EXPIRES_AFTER_MS = 24 * 60 * 60 * 1000;
const MOST_CHARACTERS = 200;

/**
 * Notifies the administrators of a tenant in the transaction of the change. No limit applies: an attacker must not be able
 * to use it up first.
 */
export type NotifyAdministrators = (
  tx: TenantTx,
  by: Caller,
  change: LoginsChange,
) => Promise<void>;

export function createNotifyAdministrators(
  queueMessage: QueueMessage,
  canSend: (sender: Sender) => boolean,
): NotifyAdministrators {
  return async (tx, by, { what, changed, formerEmail }) => {
    const sender = await findSenderIn(tx);
    if (!sender) return;
    const former = formerEmail && {
      ...sender,
      messaging: { ...sender.messaging, email: formerEmail },
    };
    const isThroughFormer = former !== undefined && canSend(former);
    if (!isThroughFormer && !canSend(sender)) return;
    const actor = await findNameOf(tx, by);
    const vars = {
      what,
      changed: changed.slice(0, MOST_CHARACTERS),
      time: tx.now.toISOString(),
      ...(actor === undefined ? {} : { actor }),
    };
    for (const { id, address } of await findAdministrators(tx)) {
      await queueMessage(tx, {
        kind: 'notice.logins_changed',
        channel: 'email',
        destination: address,
        userId: id,
        challengeId: null,
        locale: undefined,
        vars,
        expiresAt: new Date(tx.now.getTime() + EXPIRES_AFTER_MS),
        through: isThroughFormer ? formerEmail : undefined,
      });
    }
  };
}

/** The first identifier of a user of the tenant; undefined: a system administrator. */
async function findNameOf(tx: TenantTx, by: Caller): Promise<string | undefined> {
  // Only users in person and impersonators can make such a change.
  if (by.kind !== 'user' || by.claims.tenant_id !== tx.tenantId) return undefined;
  return (await findFirstIdentifier(tx, by.subject)) ?? by.subject;
}
