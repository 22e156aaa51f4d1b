import type { MessageId } from '@keywright/contract/ids';
import { newMessageId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Log } from '../../../platform/log.ts';
import { reasonText } from '../../../platform/coded-reason.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Ended, Room } from '../../../tenancy/jobs/definition.ts';
import { changeOf, defineJobs, type JobVerdict } from '../../../tenancy/jobs/jobs.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Notes, record } from '../journal/index.ts';
import { countSms } from './limit-store.ts';
import { destinationPlace, type MessageRow, type NewMessage, throughPlace } from './message.ts';
import type { MessageSender } from './message-sender.ts';
import {
  claimMessages,
  findKeyToSeal,
  finishMessages,
  insertMessage,
  reasonNotSent,
} from './message-store.ts';

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
/** A conversation with an email server can take 20 seconds. */
export const LEASE_SECONDS = 30;

/** One message per connection to an email server: 64 in total, and 4 per tenant. */
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

/** The server's answers about one mailbox: they mean that the server works. */
const ABOUT_MAILBOX = ['smtp_', 'sms_'];
/** The reasons for not sending a message, which reveal nothing about the server: others must not wait for a poll. */
const NOT_SENT = [
  'not_sent',
  'withdrawn',
  'suppressed',
  'address_invalid',
  'no_text',
  'tenant_gone',
];

const SYSTEM = { kind: 'system', name: 'messages' } as const;

/** The queue of messages to send by email or SMS. */
export class MessageQueue extends JobQueue<MessageRow> {
  readonly #masterKeys: MasterKeys;

  constructor(core: Core, sender: MessageSender, notes: Notes) {
    super(defineMessages(core, sender, notes), core);
    this.#masterKeys = core.masterKeys;
  }

  /**
   * Queues a message in the transaction of its cause. This node sends it after the commit; if this node dies before,
   * another one does.
   */
  async enqueue(tx: TenantTx, message: NewMessage): Promise<MessageId> {
    const id = newMessageId(tx.now);
    const sealed = await this.#seal(tx, id, message);
    const leasedUntil = new Date(tx.now.getTime() + LEASE_SECONDS * 1000);
    const row = await insertMessage(tx, id, message, sealed, leasedUntil);
    const { country, unverifiedShare } = message;
    const isSent = reasonNotSent(message) === undefined;
    // A message that is not sent runs the same statements, but is not counted.
    if (country !== undefined) await countSms(tx, country, { sent: isSent ? 1 : 0 });
    // Runs after the response: otherwise the response time would reveal whether a message is sent.
    const job = { ...row, unverifiedShare };
    if (isSent) tx.afterCommit(() => void setImmediate(() => this.take([job])));
    return id;
  }

  async #seal(tx: TenantTx, id: MessageId, { destination, through }: NewMessage) {
    const wrapped = await findKeyToSeal(tx);
    if (!wrapped) throw new DataKeyGone(tx.tenantId);
    const dataKey = this.#masterKeys.unwrap(tx.tenantId, wrapped);
    const sealIn = (text: string, place: string) => seal(dataKey, Buffer.from(text), place);
    const sealed = {
      destination: sealIn(destination, destinationPlace(tx.tenantId, id)),
      through: through ? sealIn(JSON.stringify(through), throughPlace(tx.tenantId, id)) : null,
    };
    dataKey.fill(0);
    return sealed;
  }
}

function defineMessages(core: Core, sender: MessageSender, notes: Notes) {
  const { gate, log } = core;
  const jobs = defineJobs<MessageRow>(
    {
      name: 'messages',
      table: 'messages',
      room: ROOM,
      leaseSeconds: LEASE_SECONDS,
      delaysMs: DELAYS_MS,
      run: (message) => sender.send(message),
    },
    core,
  );
  return {
    ...jobs,
    judge(verdict: JobVerdict) {
      const { code = '' } = verdict.reason ?? {};
      if (ABOUT_MAILBOX.some((start) => code.startsWith(start))) return 'well';
      return NOT_SENT.includes(code) ? undefined : jobs.judge(verdict);
    },
    // Each takes one round trip instead of a transaction.
    claim: (round, now) => claimMessages(gate, round, now, LEASE_SECONDS),
    finish: (ended) => finish(gate, log, notes, ended),
  } satisfies typeof jobs;
}

/** Stores results, and records messages that were sent or will not be. */
async function finish(
  gate: Gate,
  log: Log,
  notes: Notes,
  ended: readonly Ended<MessageRow, JobVerdict>[],
): Promise<void> {
  await finishMessages(gate, ended.map(changeOf));
  for (const { job, verdict } of ended) {
    if (verdict.outcome === 'done' && verdict.reason === null) noteSent(notes, job);
    if (verdict.outcome !== 'failed') continue;
    await recordFailure(gate, job, reasonText(verdict.reason)).catch((error: unknown) =>
      log.warn({ err: error, message: job.id }, 'a failed message was not recorded'),
    );
  }
}

/** Records a sent message asynchronously; a flood becomes one entry with a count. */
function noteSent(notes: Notes, message: MessageRow): void {
  const { id, kind, tenant_id: tenantId, masked_destination: to } = message;
  notes.note(tenantId, SYSTEM, {
    action: 'auth.message_sent',
    target: { kind: 'message', id },
    outcome: 'success',
    details: { kind, to },
  });
}

function recordFailure(gate: Gate, message: MessageRow, reason: string): Promise<void> {
  const { id, kind, tenant_id: tenantId } = message;
  return gate.into(tenantId).transaction((tx) =>
    record(tx, SYSTEM, {
      action: 'message.failed',
      target: { kind: 'message', id },
      outcome: 'failure',
      details: { kind, reason },
      events: [{ type: 'message.failed', data: { message_id: id, kind, reason } }],
    }),
  );
}
