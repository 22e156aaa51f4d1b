import type { OAuthClientId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { type AfterCommit, topic } from '../../../tenancy/after-commit.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { counted } from '../../../tenancy/jobs/counted.ts';
import { defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { DELAYS_MS } from './rules.ts';
import type { LogoutRow, Tell } from './telling.ts';

/** Longer than an attempt takes: 10 seconds at most. */
const LEASE_SECONDS = 30;

/** Beside the deliveries of webhooks, which use most of what the egress admits. A client counts as an endpoint. */
const ROOM: Room = {
  all: 64,
  ofTenant: 24,
  ofKey: 8,
  atFirst: 4,
  whileFailing: 1,
  troubled: 32,
  troubledOfTenant: 8,
  waitingOfKey: 200,
  waiting: 5000,
};

/** This client is to be told. The next poll makes up for a lost message. */
export const clientToTell = topic<KeyRef<OAuthClientId>>('client to tell of a logout');

interface Dependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly poller: Poller;
}

/** Tells clients that their users are logged out, on this node. */
export type LogoutQueue = JobQueue<LogoutRow>;

export function createLogoutQueue(dependencies: Dependencies, run: Tell): LogoutQueue {
  const kind: JobKind<LogoutRow> = {
    name: 'back-channel logouts',
    table: 'logout_deliveries',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    delaysMs: DELAYS_MS,
    run,
  };
  const told = {
    metric: 'keywright_backchannel_logouts_total',
    help: 'Attempts to tell a client of a logout, by how they ended.',
    fieldsOf: ({ tenant_id: tenant, queue_key: client, id: session }: LogoutRow) => ({
      tenant,
      client,
      session,
    }),
    message: 'a client was not told of a logout',
  };
  const definition = counted(defineJobs(kind, dependencies), told, dependencies);
  const queue = createJobQueue(definition, dependencies);
  dependencies.afterCommit.subscribe(clientToTell, (client) => queue.wake(client));
  return queue;
}
