import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { type AfterCommit, topic } from '../../../tenancy/after-commit.ts';
import type { KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { defineJobs, type JobKind } from '../../../tenancy/jobs/jobs.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { MakeExport } from './making.ts';
import type { ExportJob } from './store.ts';

/** Longer than one takes: some hundred statements. */
const LEASE_SECONDS = 60;
const DELAYS_MS = [5000, 60_000, 300_000];

/** Few at once: each reads a lot, and nobody waits for it. */
const ROOM: Room = {
  all: 4,
  ofTenant: 2,
  ofKey: 2,
  atFirst: 1,
  whileFailing: 1,
  troubled: 2,
  troubledOfTenant: 1,
  waitingOfKey: 10,
  waiting: 100,
};

/** Exports of a tenant are to be made. */
export const exportToMake = topic<KeyRef>('an export to make');

interface Dependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly poller: Poller;
}

/** Makes exports, on this node. */
export function createExportQueue(
  dependencies: Dependencies,
  run: MakeExport,
): JobQueue<ExportJob> {
  const { afterCommit } = dependencies;
  const kind: JobKind<ExportJob> = {
    name: 'account exports',
    table: 'account_exports',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    delaysMs: DELAYS_MS,
    run,
  };
  const queue = createJobQueue(defineJobs(kind, dependencies), dependencies);
  afterCommit.subscribe(exportToMake, (key) => queue.wake(key));
  return queue;
}
