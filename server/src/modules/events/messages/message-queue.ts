import type { Clock } from '../../../platform/clock.ts';
import { newMessageId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Log } from '../../../platform/log.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { TenantTx, Gate } from '../../../tenancy/gate.ts';
import type { Room } from '../../../tenancy/jobs/definition.ts';
import { changeOf, defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { type Notes, record } from '../journal/index.ts';
import type { SendMessage } from './message-sender.ts';
import {
  findKeyToSeal,
  insertMessage,
  reasonNotSent,
  claimMessages,
  finishMessages,
} from './message-store.ts';
import {
  destinationPlace,
  type MessageRow,
  type NewMessage,
  type QueueOutcome,
  throughPlace,
} from './message.ts';
import { countSms } from './sms-traffic-store.ts';

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

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed attempt. Codes expire before the fifth one; the later ones are for notices. */
const DELAYS_MS = [
  5 * SECOND,
  15 * SECOND,
  45 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  8 * HOUR,
];
/** A conversation with a mail server may take 20. */
export const LEASE_SECONDS = 30;

/** As many at once as connections to mail servers: 64, and 4 of a tenant. */
const ROOM: Room = {
  all: 64,
  ofTenant: 4,
  ofKey: 4,
  atFirst: 4,
  whileFailing: 1,
  troubled: 32,
  troubledOfTenant: 2,
  waitingOfKey: 500,
  waiting: 5000,
};

/** What a server says of one mailbox says nothing about the server. */
const SAID_BY_SERVER = /^(?:smtp|sms)_/;
/** What is not sent says nothing either: messages after it must not wait for the next poll. */
const NOT_SENT = /^(?:not_sent|withdrawn|suppressed|address_invalid|no_text|tenant_gone):/;

interface Dependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly clock: Clock;
  readonly log: Log;
  readonly notes: Notes;
  readonly poller: Poller;
}

/** Sends messages, on this node. */
export type MessageQueue = JobQueue<MessageRow>;

export function createMessageQueue(dependencies: Dependencies, run: SendMessage): MessageQueue {
  const kind: JobKind<MessageRow> = {
    name: 'messages',
    table: 'messages',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    delaysMs: DELAYS_MS,
    run,
  };
  const definition = defineJobs(kind, dependencies);
  const { gate, log, notes } = dependencies;
  return new JobQueue(
    {
      ...definition,
      judge(verdict) {
        const reason = verdict.reason ?? '';
        if (SAID_BY_SERVER.test(reason)) return 'well';
        return NOT_SENT.test(reason) ? undefined : definition.judge(verdict);
      },
      // One round trip each, instead of a transaction.
      claim: (round, now) => claimMessages(gate, round, now, LEASE_SECONDS),
      async finish(ended) {
        await finishMessages(gate, ended.map(changeOf));
        for (const { job, verdict } of ended) {
          if (verdict.outcome === 'done' && verdict.reason === null) noteSent(notes, job);
          if (verdict.outcome !== 'failed') continue;
          await recordFailure(gate, job, verdict.reason ?? '').catch((error: unknown) =>
            log.warn({ err: error, message: job.id }, 'a failed message was not recorded'),
          );
        }
      },
    },
    dependencies,
  );
}

const WHO = { kind: 'system', name: 'messages' } as const;

/** Records that a message will not be delivered. */
function recordFailure(gate: Gate, message: MessageRow, reason: string): Promise<void> {
  const { id, kind, tenant_id: tenantId } = message;
  return gate.into(tenantId).transaction((tx) =>
    record(tx, WHO, {
      action: 'message.failed',
      target: { kind: 'message', id },
      outcome: 'failure',
      details: { kind, reason },
      events: [{ type: 'message.failed', data: { message_id: id, kind, reason } }],
    }),
  );
}

/** Asynchronously, and counted beyond a number that no one reads. */
function noteSent(notes: Notes, message: MessageRow): void {
  const { id, kind, tenant_id: tenantId, masked_destination: to } = message;
  notes.note(tenantId, WHO, {
    action: 'auth.message_sent',
    target: { kind: 'message', id },
    outcome: 'success',
    details: { kind, to },
  });
}
