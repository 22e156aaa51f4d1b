import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import { DELIVERY_METHODS, type Signal, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import type { Clock } from '../../../platform/clock.ts';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { topic, type AfterCommit } from '../../../tenancy/after-commit.ts';
import { counted } from '../../../tenancy/jobs/counted.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { type Outcome, defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { SignalRow } from './security-event.ts';

/** Something of this stream is due. The next poll makes up for a lost message. */
export const streamDue = topic<KeyRef<SignalStreamId>>('stream of signals due');

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed push. A stream that only fails is paused before the last one. */
const DELAYS_MS = [
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
/** A stream that only failed for this long is paused. */
const HOPELESS_AFTER_MS = 24 * HOUR;

export const MOST_STREAMS = 5;
/** Most events that wait in a stream; older ones are dropped. */
export const MOST_WAITING = 10_000;
export const VERIFICATION_INTERVAL_SECONDS = 10;
/** How much of an answer is read. */
export const MAX_ANSWER_BYTES = 2048;

const RECEIVED = [200, 202, 204];
/** Of errors of the receiver, in reasons. */
const MAX_DESCRIPTION = 200;

export type Method = keyof typeof DELIVERY_METHODS;

export function methodOf(uri: string): Method {
  return uri === DELIVERY_METHODS.push ? 'push' : 'poll';
}

/** The place that the header of a stream is sealed for. */
export function headerPlace(tenantId: TenantId, id: SignalStreamId): string {
  return `signal_streams/${tenantId}/${id}/authorization_header`;
}

/** Which events of ours were asked for. @param requested undefined: all */
export function deliveredOf(requested: readonly string[] | undefined): Signal[] {
  return SIGNAL_NAMES.filter((name) => requested?.includes(SIGNALS[name]) ?? true);
}

/**
 * What the answer to a push means (RFC 8935 §2.2). 400: the receiver cannot use the event, and says why; sent again it
 * would be no different. What was not sent for reasons of our own does not count as an attempt.
 */
export function judgePush(outcome: EgressOutcome): Outcome {
  if (outcome.outcome === 'answered') {
    const { status, body } = outcome;
    if (RECEIVED.includes(status)) return { outcome: 'done' };
    if (status === 400) return { outcome: 'failed', reason: describeError(body) };
    return { outcome: 'retry', reason: `status_${status}: The receiver answered ${status}.` };
  }
  const { reason, detail } = outcome;
  if (reason === 'too_busy' || reason === 'closed') return { outcome: 'released', reason };
  return { outcome: 'retry', reason: `${reason}: ${detail}` };
}

/** RFC 8935 §2.3. */
function describeError(body: Buffer): string {
  try {
    const { err, description } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    return reasonOfError(err, description);
  } catch {
    return reasonOfError(undefined, undefined);
  }
}

/** A receiver's error, as it is stored: what it is called, and one line of its description. */
export function reasonOfError(err: unknown, description: unknown): string {
  const name = typeof err === 'string' && /^[\w.-]{1,64}$/.test(err) ? err : 'unknown';
  const text = typeof description === 'string' ? description : '';
  const line = text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, MAX_DESCRIPTION);
  return `receiver_error: ${name}${line === '' ? '' : `: ${line}`}`;
}

/** Streams that have only failed since then are paused. */
export function hopelessSince(now: Date): Date {
  return new Date(now.getTime() - HOPELESS_AFTER_MS);
}

/** Longer than an attempt takes: 10 seconds at most. */
const LEASE_SECONDS = 30;

/**
 * Beside the deliveries of webhooks, which use most of what the egress admits. A stream counts as an endpoint, and gets one
 * event after the other from each node: that a user is enabled should not arrive before that they were disabled.
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

interface Dependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly poller: Poller;
}

/** Pushes events to receivers, on this node. */
export type SignalQueue = JobQueue<SignalRow>;

export function createSignalQueue(
  dependencies: Dependencies,
  run: JobKind<SignalRow>['run'],
): SignalQueue {
  const kind: JobKind<SignalRow> = {
    name: 'shared signals',
    table: 'signal_deliveries',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    delaysMs: DELAYS_MS,
    run,
  };
  const told = {
    metric: 'keywright_signals_total',
    help: 'Attempts to push an event to a receiver of shared signals, by how they ended.',
    fieldsOf: ({ tenant_id: tenant, queue_key: stream, id: jti }: SignalRow) => ({
      tenant,
      stream,
      jti,
    }),
    message: 'a receiver was not told of a signal',
  };
  const definition = counted(defineJobs(kind, dependencies), told, dependencies);
  const queue = new JobQueue(definition, dependencies);
  dependencies.afterCommit.subscribe(streamDue, (stream) => queue.wake(stream));
  return queue;
}
