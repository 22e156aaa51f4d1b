import type { Clock } from '../../../platform/clock.ts';
import type { Counter } from '@keywright/contract/activity';
import type { WebhookId } from '@keywright/contract/ids';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { AfterCommit } from '../../../tenancy/after-commit.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Definition, Ended, Room } from '../../../tenancy/jobs/definition.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { deliveriesQueued } from '../journal/index.ts';
import { createAttempt } from './delivery.ts';
import { giveUpOn } from './disable.ts';
import { endpointDue } from './due.ts';
import {
  claimDeliveries,
  type ClaimedDelivery,
  findDueEndpoints,
  finishDeliveries,
  holdDeliveries,
  measureQueue,
  queueUnsent,
  readQueued,
} from './queue-store.ts';
import { conditionOf, hopelessSince, putOff, type Verdict } from './rules.ts';

/** The egress admits more, which other calls need. */
const ROOM: Room = {
  all: 384,
  ofTenant: 128,
  ofKey: 10,
  atFirst: 4,
  whileFailing: 1,
  troubled: 192,
  troubledOfTenant: 48,
  waitingOfKey: 200,
  waiting: 5000,
};
/** kw_queue_unsent ignores what was queued more recently than this. */
const LEASE_SECONDS = 6;

interface Dependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly activity: CountActivity;
  readonly egress: Egress;
  readonly dataKeys: DataKeys;
  readonly poller: Poller;
}

/** Delivers events to their endpoints, on this node. */
export type DeliveryQueue = JobQueue<ClaimedDelivery, WebhookId>;

export function createDeliveryQueue(dependencies: Dependencies): DeliveryQueue {
  const queue = createJobQueue(define(dependencies), dependencies);
  const { afterCommit } = dependencies;
  afterCommit.subscribe(endpointDue, (endpoint) => queue.wake(endpoint));
  afterCommit.subscribe(deliveriesQueued, ({ tenantId, queued }) =>
    queue.take(queued.map((one) => readQueued(tenantId, one))),
  );
  return queue;
}

/** Attempts in which something was sent. */
const COUNTED_AS: Readonly<Partial<Record<Verdict['outcome'], Counter>>> = {
  delivered: 'deliveries.delivered',
  retry: 'deliveries.failed',
  failed: 'deliveries.failed',
  gone: 'deliveries.failed',
};

function define(dependencies: Dependencies): Definition<ClaimedDelivery, Verdict, WebhookId> {
  const { gate, system, clock, egress, dataKeys, activity } = dependencies;
  const attempt = createAttempt(egress, dataKeys, clock);
  const count = countAttempts(dependencies);
  return {
    name: 'webhooks',
    table: 'webhook_deliveries',
    room: ROOM,
    leaseSeconds: LEASE_SECONDS,
    findDue: () =>
      system.maintain('look for deliveries that are due', async (tx) => {
        await queueUnsent(tx);
        return findDueEndpoints(tx);
      }),
    claim: (round, now) => claimDeliveries(gate, round, now, LEASE_SECONDS),
    hold: (deliveries, until) => holdDeliveries(gate, deliveries, until),
    finish: (ended) => finish(gate, ended, clock.now()),
    keyOf: (delivery) => ({ tenantId: delivery.tenant_id, key: delivery.webhook_id }),
    async attempt(delivery) {
      const verdict = await attempt(delivery);
      count(verdict.outcome);
      const counter = COUNTED_AS[verdict.outcome];
      if (counter) activity.count(delivery.tenant_id, counter);
      return verdict;
    },
    release: putOff,
    judge: conditionOf,
  };
}

/** Records attempts, and disables endpoints that answered 410 or have failed for days. */
async function finish(
  gate: Gate,
  ended: readonly Ended<ClaimedDelivery, Verdict>[],
  now: Date,
): Promise<void> {
  const hopeless = await finishDeliveries(gate, ended, now, hopelessSince(now));
  for (const endpoint of hopeless) await giveUpOn(gate, endpoint, false);
  for (const { job, verdict } of ended) {
    const endpoint = { tenantId: job.tenant_id, key: job.webhook_id };
    if (verdict.outcome === 'gone') await giveUpOn(gate, endpoint, true);
  }
}

function countAttempts({ metrics, system }: Dependencies): (outcome: Verdict['outcome']) => void {
  const count = metrics.counter(
    'keywright_webhook_attempts_total',
    'Attempts to deliver an event, by how they ended.',
    ['outcome'],
  );
  metrics.gauge(
    'keywright_webhook_queue',
    'Deliveries that wait, and for how many seconds the first that is due has waited.',
    () => system.maintain('measure the queue', measureQueue),
    'of',
    // Every process reads the same queue.
    'max',
  );
  return (outcome) => count({ outcome });
}
