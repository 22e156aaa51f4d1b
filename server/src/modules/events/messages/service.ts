import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { JobQueue } from '../../../tenancy/jobs/queue.ts';
import { newMessageId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import {
  destinationPlace,
  type MessageRow,
  type NewMessage,
  type QueueOutcome,
  throughPlace,
} from './message.ts';
import { LEASE_SECONDS } from './queue.ts';
import { countSms } from './sms/traffic-store.ts';
import { findKeyToSeal, insertMessage, reasonNotSent } from './store.ts';

/**
 * Queues a message in the transaction of what it tells of. This node sends it after the commit; another one does, if
 * this one dies before.
 */
export type QueueMessage = (tx: TenantTx, message: NewMessage) => Promise<QueueOutcome>;

export function createQueueMessage(
  masterKeys: MasterKeys,
  queue: JobQueue<MessageRow>,
): QueueMessage {
  return async (tx, message) => {
    const id = newMessageId(tx.now);
    const wrapped = await findKeyToSeal(tx);
    if (!wrapped) throw new DataKeyGone(tx.tenantId);
    const dataKey = masterKeys.unwrap(tx.tenantId, wrapped);
    const sealIn = (text: string, place: string) => seal(dataKey, Buffer.from(text), place);
    const { destination, through } = message;
    const sealed = {
      destination: sealIn(destination, destinationPlace(tx.tenantId, id)),
      through: through ? sealIn(JSON.stringify(through), throughPlace(tx.tenantId, id)) : null,
    };
    dataKey.fill(0);
    const heldUntil = new Date(tx.now.getTime() + LEASE_SECONDS * 1000);
    const row = await insertMessage(tx, id, message, sealed, heldUntil);
    const { country, unverifiedShare } = message;
    const isSent = reasonNotSent(message) === undefined;
    // What is not sent is not counted, by the same statement.
    if (country !== undefined) await countSms(tx, country, { sent: isSent ? 1 : 0 });
    // After the response: otherwise its duration would tell whether something is sent.
    const job = { ...row, unverifiedShare };
    if (isSent) tx.afterCommit(() => void setImmediate(() => queue.take([job])));
    return { id };
  };
}
