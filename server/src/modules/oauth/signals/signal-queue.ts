import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import { DELIVERY_METHODS, type Signal, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import type { Reason } from '../../../platform/coded-reason.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import {
  counted,
  defineJobs,
  type JobKind,
  type Outcome,
  unansweredOutcome,
} from '../../../tenancy/jobs/jobs.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { SignalRow } from './security-event.ts';

/** An event of this stream is due. If the message is lost, the next poll finds the event. */
export const streamDue = topic<KeyRef<SignalStreamId>>('stream of signals due');

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed push. A stream whose pushes all fail is paused before the last delay. */
export const DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
/** How long all pushes of a stream can fail before it is paused. */
export const HOPELESS_AFTER_MS = 24 * HOUR;

export const MOST_STREAMS = 5;
/** The maximum number of events that wait in a stream; the oldest are dropped. */
export const MOST_WAITING = 10_000;
export const VERIFICATION_INTERVAL_SECONDS = 10;
/** The maximum number of bytes read from a response. */
export const MAX_ANSWER_BYTES = 2048;

const RECEIVED = [200, 202, 204];
/** The maximum length of a receiver's error description in the stored reason. */
const MAX_DESCRIPTION = 200;

export type Method = keyof typeof DELIVERY_METHODS;

export function methodOf(uri: string): Method {
  return uri === DELIVERY_METHODS.push ? 'push' : 'poll';
}

/** Returns the context for sealing the header of a stream. */
export function headerPlace(tenantId: TenantId, id: SignalStreamId): string {
  return `signal_streams/${tenantId}/${id}/authorization_header`;
}

/** Returns the supported events that a receiver requests. @param requested undefined: all */
export function deliveredOf(requested: readonly string[] | undefined): Signal[] {
  return SIGNAL_NAMES.filter((name) => requested?.includes(SIGNALS[name]) ?? true);
}

/**
 * Returns the outcome of a push (RFC 8935 §2.2). 400 means that the receiver cannot use the event, and describes
 * why, so it is not sent again.
 */
export function judgePush(outcome: EgressOutcome): Outcome {
  if (outcome.outcome === 'answered') {
    const { status, body } = outcome;
    if (RECEIVED.includes(status)) return { outcome: 'done' };
    if (status === 400) return { outcome: 'failed', reason: describeError(body) };
    const reason = { code: `status_${status}`, detail: `The receiver returned ${status}.` };
    return { outcome: 'retry', reason };
  }
  return unansweredOutcome(outcome);
}

/** RFC 8935 §2.3. */
function describeError(body: Buffer): Reason {
  try {
    const { err, description } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    return reasonOfError(err, description);
  } catch {
    return reasonOfError(undefined, undefined);
  }
}

/** Returns a receiver's error: its name, and one line of its description. */
export function reasonOfError(err: unknown, description: unknown): Reason {
  const name = typeof err === 'string' && /^[\w.-]{1,64}$/.test(err) ? err : 'unknown';
  const text = typeof description === 'string' ? description : '';
  const line = text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, MAX_DESCRIPTION);
  return { code: 'receiver_error', detail: line === '' ? name : `${name}: ${line}` };
}

/** Returns the time since which all pushes of a stream must have failed for the stream to be paused. */
export function hopelessSince(now: Date): Date {
  return new Date(now.getTime() - HOPELESS_AFTER_MS);
}

/** Longer than an attempt takes, which is at most 10 seconds. */
const LEASE_SECONDS = 30;

/**
 * The share of the egress next to webhook deliveries, which use most of it. Each stream counts as an endpoint, and
 * gets one event at a time from each node, so that "user enabled" cannot overtake "user disabled".
 */
const ROOM: Room = {
  all: 64,
  ofTenant: 24,
  ofKey: 1,
  atFirst: 1,
  whileFailing: 1,
  troubled: 32,
  troubledOfTenant: 8,
  waitingOfKey: 200,
  waiting: 5000,
};

/** Pushes events to receivers from this node. */
export class SignalQueue extends JobQueue<SignalRow> {
  constructor(core: Core, run: JobKind<SignalRow>['run']) {
    const kind: JobKind<SignalRow> = {
      name: 'shared signals',
      table: 'signal_deliveries',
      room: ROOM,
      leaseSeconds: LEASE_SECONDS,
      delaysMs: DELAYS_MS,
      run,
    };
    const report = {
      metric: 'keywright_signals_total',
      help: 'Attempts to push an event to a receiver of shared signals, by outcome.',
      fieldsOf: ({ tenant_id: tenant, queue_key: stream, id: jti }: SignalRow) => ({
        tenant,
        stream,
        jti,
      }),
      message: 'a receiver was not notified of a signal',
    };
    super(counted(defineJobs(kind, core), report, core), core);
    core.afterCommit.subscribe(streamDue, (stream) => this.wake(stream));
  }
}
