import type { SignalStreamId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { AfterCommit } from '../../../tenancy/after-commit.ts';
import type { Room } from '../../../tenancy/jobs/definition.ts';
import { counted } from '../../../tenancy/jobs/counted.ts';
import { defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { streamDue } from './due.ts';
import { DELAYS_MS } from './rules.ts';
import type { SignalRow } from './set.ts';

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
export type SignalQueue = JobQueue<SignalRow, SignalStreamId>;

export function createSignalQueue(dependencies: Dependencies, run: JobKind<SignalRow>['run']): SignalQueue {
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
  const queue = createJobQueue(definition, dependencies);
  dependencies.afterCommit.subscribe(streamDue, (stream) => queue.wake(stream));
  return queue;
}
