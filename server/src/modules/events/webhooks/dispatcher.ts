import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { AfterCommit } from '../../../tenancy/after-commit.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { deliveriesQueued } from '../journal/index.ts';
import { Courier } from './courier.ts';
import { createAttempt } from './delivery.ts';
import { endpointDue } from './due.ts';
import { findDueEndpoints, measureQueue, queueUnsent, readQueued } from './queue-store.ts';
import type { Verdict } from './rules.ts';

/** How often it is looked for what is due: what has failed before, and what another node left behind. */
const LOOK_EVERY_MS = 1000;
/** A look that takes long, among many endpoints, is made less often: it takes a twentieth of the time at most. */
const LOOK_SHARE = 1 / 20;
/** How long deliveries that are under way may take when the service stops. */
const GRACE_MS = 3000;

/** Delivers events from the queue to their endpoints. Every node has one; they share the work. */
export interface Dispatcher {
  /** Looks for what is due from now on, each second. */
  start(): void;
  /** Looks for what is due and sends it. Resolves when all that this node took is done. */
  deliverDue(): Promise<void>;
  /** Takes nothing more, and resolves when nothing is under way. */
  stop(): Promise<void>;
}

interface Parts {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly egress: Egress;
  readonly dataKeys: DataKeys;
}

export function createDispatcher(parts: Parts): Dispatcher {
  const { gate, system, clock, log, egress } = parts;
  const attempt = createAttempt(egress, parts.dataKeys, clock);
  const courier = new Courier({ gate, clock, log, attempt, count: countAttempts(parts) });
  const stopping = new AbortController();

  async function look(): Promise<void> {
    const due = await system.maintain('look for deliveries that are due', async (tx) => {
      await queueUnsent(tx);
      return findDueEndpoints(tx);
    });
    courier.send(due);
  }

  parts.afterCommit.subscribe(endpointDue, (endpoint) => courier.send([endpoint]));
  parts.afterCommit.subscribe(deliveriesQueued, ({ tenantId, queued }) =>
    courier.sendFresh(queued.map((one) => readQueued(tenantId, one))),
  );
  let looking: Promise<void> | undefined;
  return {
    start() {
      looking = keepLooking(look, log, stopping.signal);
    },
    async deliverDue() {
      await look();
      await courier.settle();
    },
    async stop() {
      stopping.abort();
      courier.stop();
      await looking;
      // What is still under way then is cut off, and made again by whoever comes next.
      await Promise.race([courier.settle(), wait(GRACE_MS, undefined, { ref: false })]);
      await courier.cutOff();
    },
  };
}

async function keepLooking(
  look: () => Promise<void>,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  let isBlind = false;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      await look();
      isBlind = false;
    } catch (error) {
      // Once: the database may be away for long.
      if (!isBlind && !signal.aborted) log.warn({ err: error }, 'the look for deliveries failed');
      isBlind = true;
    }
    const pauseMs = Math.max(LOOK_EVERY_MS, (performance.now() - began) / LOOK_SHARE);
    await wait(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

function countAttempts({ metrics, system }: Parts): (outcome: Verdict['outcome']) => void {
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
