import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Room } from '../../../tenancy/jobs/definition.ts';
import { changeOf, defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { Notes } from '../journal/index.ts';
import { noteSent, recordFailure } from './recorded.ts';
import type { MessageRow } from './message.ts';
import { claimMessages, finishMessages } from './queue-store.ts';
import type { SendMessage } from './send.ts';

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
  return createJobQueue(
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
