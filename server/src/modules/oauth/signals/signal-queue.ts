import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import { DELIVERY_METHODS, type Signal, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import type { EgressOutcome } from '../../../platform/egress/outcome.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import { counted } from '../../../tenancy/jobs/counted.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { type Outcome, defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { SignalRow } from './security-event.ts';

/** An event of this stream is due. If this message is lost, the next poll finds it. */
export const streamDue = topic<KeyRef<SignalStreamId>>('stream of signals due');

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delay after each failed push. A stream whose pushes all fail is paused before the last one. */
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
/** A stream whose pushes have all failed for this long is paused. */
const HOPELESS_AFTER_MS = 24 * HOUR;

export const MOST_STREAMS = 5;
/** Most events that wait in a stream; older ones are dropped. */
export const MOST_WAITING = 10_000;
export const VERIFICATION_INTERVAL_SECONDS = 10;
/** How much of a response is read. */
export const MAX_ANSWER_BYTES = 2048;

const RECEIVED = [200, 202, 204];
/** Of a receiver's error, in the stored reason. */
const MAX_DESCRIPTION = 200;

export type Method = keyof typeof DELIVERY_METHODS;

export function methodOf(uri: string): Method {
  return uri === DELIVERY_METHODS.push ? 'push' : 'poll';
}

/** The context for which the header of a stream is sealed. */
export function headerPlace(tenantId: TenantId, id: SignalStreamId): string {
  return `signal_streams/${tenantId}/${id}/authorization_header`;
}

/** The supported events that a receiver requests. @param requested undefined: all */
export function deliveredOf(requested: readonly string[] | undefined): Signal[] {
  return SIGNAL_NAMES.filter((name) => requested?.includes(SIGNALS[name]) ?? true);
}

/**
 * The outcome of a push (RFC 8935 §2.2). 400: the receiver cannot use the event, and describes why, so it is not sent
 * again. An attempt does not count if the service itself did not send it.
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

/** A receiver's error, as it is stored: its name, and one line of its description. */
export function reasonOfError(err: unknown, description: unknown): string {
  const name = typeof err === 'string' && /^[\w.-]{1,64}$/.test(err) ? err : 'unknown';
  const text = typeof description === 'string' ? description : '';
  const line = text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, MAX_DESCRIPTION);
  return `receiver_error: ${name}${line === '' ? '' : `: ${line}`}`;
}

/** Streams whose pushes have all failed since then are paused. */
export function hopelessSince(now: Date): Date {
  return new Date(now.getTime() - HOPELESS_AFTER_MS);
}

/** Longer than an attempt takes, which is at most 10 seconds. */
const LEASE_SECONDS = 30;

/**
 * Alongside the deliveries of webhooks, which use most of what the egress admits. A stream counts as an endpoint, and gets
 * one event after the other from each node: the event that a user is enabled must not overtake that they were disabled.
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

/** Pushes events to receivers, on this node. */
export type SignalQueue = JobQueue<SignalRow>;

export function createSignalQueue(core: Core, run: JobKind<SignalRow>['run']): SignalQueue {
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
    help: 'Attempts to push an event to a receiver of shared signals, by how they ended.',
    fieldsOf: ({ tenant_id: tenant, queue_key: stream, id: jti }: SignalRow) => ({
      tenant,
      stream,
      jti,
    }),
    message: 'a receiver was not told of a signal',
  };
  const definition = counted(defineJobs(kind, core), report, core);
  const queue = new JobQueue(definition, core);
  core.afterCommit.subscribe(streamDue, (stream) => queue.wake(stream));
  return queue;
}
