import { type Reason, reasonText } from '../../platform/coded-reason.ts';
import type { Unanswered } from '../../platform/egress/outcome.ts';
import type { Core } from '../module.ts';
import type { Definition, Ended, Release, Room } from './definition.ts';
import type { PendingTable } from './pending-store.ts';
import { nextAttemptAt } from './rules.ts';
import {
  claimJobs,
  findDueKeys,
  finishJobs,
  renewJobs,
  type Job,
  type JobChange,
} from './store.ts';

/**
 * The outcome of a job. `done` with a reason: nothing needed to be done, and why; `retry`: to be retried on its
 * schedule; `failed`: permanently; `released`: not attempted for an internal reason, and due again soon.
 */
export type Outcome =
  | { readonly outcome: 'done'; readonly reason?: Reason }
  | { readonly outcome: 'retry' | 'failed' | 'released'; readonly reason: Reason };

/** Returns the outcome of a call without a response. A call that the service itself did not make does not count. */
export function unansweredOutcome({ reason: code, detail }: Unanswered): Outcome {
  if (code === 'too_busy' || code === 'closed') return { outcome: 'released', reason: { code } };
  return { outcome: 'retry', reason: { code, detail } };
}

/** Jobs of one kind, stored in their own table. */
export interface JobKind<Row extends Job> {
  /** Name in the logs. */
  readonly name: string;
  /** See JobRow. */
  readonly table: PendingTable;
  readonly room: Room;
  readonly leaseSeconds: number;
  /** Delays after each failed attempt, in milliseconds. The last delay is followed by the last attempt. */
  readonly delaysMs: readonly number[];
  /**
   * Runs a job at least once, since a process can die before it stores the result. Outgoing messages carry the job's
   * ID, so that receivers can recognize a repeat.
   */
  readonly run: (job: Row) => Promise<Outcome>;
}

/** The stored result. */
export type JobVerdict = { readonly dueAt: Date } & (
  | { readonly outcome: 'done' | 'expired' | 'released'; readonly reason: Reason | null }
  | { readonly outcome: 'retry' | 'failed'; readonly reason: Reason }
);

/** Delay of a job that failed because of an internal error. */
const BROKEN_MS = 60_000;
/** Delay of a job that was not attempted. */
const RELEASED_MS = 1000;

/** A kind of jobs, as a queue runs it. */
export function defineJobs<Row extends Job>(
  { name, table, room, leaseSeconds, delaysMs, run }: JobKind<Row>,
  { system, clock }: Pick<Core, 'system' | 'clock'>,
): Definition<Row, JobVerdict> {
  return {
    name,
    table,
    room,
    leaseSeconds,
    findDue: () => system.maintain(`find due ${name}`, (tx) => findDueKeys(tx, table)),
    claim: (round, now) => {
      const until = new Date(now.getTime() + leaseSeconds * 1000);
      return system.maintain(`take ${name}`, (tx) => claimJobs<Row>(tx, table, round, now, until));
    },
    renew: (jobs, until) =>
      system.maintain(`renew ${name}`, (tx) => renewJobs(tx, table, jobs, until)),
    finish: (ended) =>
      system.maintain(`store results of ${name}`, (tx) =>
        finishJobs(tx, table, ended.map(changeOf)),
      ),
    keyOf: (job) => ({ tenantId: job.tenant_id, key: job.queue_key }),
    async attempt(job) {
      const startedAt = clock.now();
      if (startedAt >= job.expires_at)
        return { outcome: 'expired', dueAt: startedAt, reason: null };
      return judgeOutcome(job, await run(job), delaysMs, clock.now());
    },
    release: (why, now) => released(why, now),
    judge: ({ outcome }) => CONDITIONS[outcome],
  };
}

/** What each outcome means for its key. */
const CONDITIONS = {
  done: 'well',
  retry: 'failing',
  failed: 'failing',
  expired: undefined,
  released: 'released',
} as const;

/** Returns the verdict of an outcome. An expired job is not retried. */
function judgeOutcome(
  job: Pick<Job, 'attempts' | 'expires_at'>,
  result: Outcome,
  delaysMs: readonly number[],
  now: Date,
): JobVerdict {
  if (result.outcome === 'done') {
    return { outcome: 'done', dueAt: now, reason: result.reason ?? null };
  }
  const { reason } = result;
  if (result.outcome === 'released') {
    return { outcome: 'released', dueAt: new Date(now.getTime() + RELEASED_MS), reason };
  }
  const dueAt = nextAttemptAt(delaysMs, job.attempts + 1, now);
  const isOver = result.outcome === 'failed' || dueAt === undefined || dueAt >= job.expires_at;
  return isOver ? { outcome: 'failed', dueAt: now, reason } : { outcome: 'retry', dueAt, reason };
}

function released(why: Release, now: Date): JobVerdict {
  const dueAt = new Date(now.getTime() + (why === 'internal' ? BROKEN_MS : 0));
  return { outcome: 'released', dueAt, reason: why === 'waits' ? null : { code: why } };
}

/** Returns the change of a job's row after a result. */
export function changeOf({ job, verdict }: Ended<Job, JobVerdict>): JobChange {
  const { tenant_id, id, takes } = job;
  const { outcome, dueAt, reason } = verdict;
  const isOver = outcome !== 'retry' && outcome !== 'released';
  const wasTried = outcome !== 'expired' && outcome !== 'released';
  return {
    tenant_id,
    id,
    takes,
    attempts: job.attempts + (wasTried ? 1 : 0),
    status: isOver ? outcome : 'pending',
    due_at: dueAt,
    reason: reason && reasonText(reason),
  };
}

/** How the ends of jobs of one kind are counted and logged. */
interface Report<Row> {
  readonly metric: string;
  readonly help: string;
  /** Fields logged when a job fails; never secrets. */
  readonly fieldsOf: (job: Row) => Readonly<Record<string, string>>;
  readonly message: string;
}

/** The same jobs, with each attempt counted by its outcome, and failed jobs logged. */
export function counted<Row, Key extends string>(
  definition: Definition<Row, JobVerdict, Key>,
  { metric, help, fieldsOf, message }: Report<Row>,
  { log, metrics }: Pick<Core, 'log' | 'metrics'>,
): Definition<Row, JobVerdict, Key> {
  const count = metrics.counter(metric, help, ['outcome']);
  return {
    ...definition,
    async attempt(job) {
      const verdict = await definition.attempt(job);
      const { outcome, reason } = verdict;
      count({ outcome });
      if (outcome === 'failed' || outcome === 'expired') {
        log.warn({ ...fieldsOf(job), outcome, reason: reason && reasonText(reason) }, message);
      }
      return verdict;
    },
  };
}
