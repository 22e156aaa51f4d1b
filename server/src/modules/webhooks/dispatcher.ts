import { setTimeout as wait } from 'node:timers/promises';
import { parseTenantId, parseWebhookId } from '@keywright/contract/ids';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { DataKeys } from '../../tenancy/data-keys.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { SystemData } from '../../tenancy/system.ts';
import { Courier } from './courier.ts';
import { createAttempt } from './delivery.ts';
import { type EndpointRef, findDueEndpoints, measureQueue } from './queue-store.ts';
import type { Verdict } from './rules.ts';

/** The channel that the database announces queued deliveries on; the payload is tenant and endpoint. */
const CHANNEL = 'keywright_deliveries';
/** How often it is looked for what is due: what has failed before, and what another node left behind. */
const LOOK_EVERY_MS = 1000;
/** How long deliveries that are under way may take when the service stops. */
const GRACE_MS = 3000;

/** Delivers events from the queue to their endpoints. Every node has one; they share the work. */
export interface Dispatcher {
  /** Looks for what is due and sends it. Resolves when all that this node took is done. */
  deliverDue(): Promise<void>;
  /** Takes nothing more, and resolves when nothing is under way. */
  stop(): Promise<void>;
}

interface Parts {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly egress: Egress;
  readonly dataKeys: DataKeys;
}

export async function startDispatcher(database: Database, parts: Parts): Promise<Dispatcher> {
  const { gate, system, clock, log, egress } = parts;
  const attempt = createAttempt(egress, parts.dataKeys, clock);
  const courier = new Courier({ gate, clock, log, attempt, count: countAttempts(parts) });
  let looking: Promise<void> | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const task = 'look for deliveries that are due';
    courier.send(await system.upkeep(task, (tx) => findDueEndpoints(tx, clock.now())));
  }

  function lookAgain(): void {
    if (isStopped) return;
    looking ??= look()
      .catch((error: unknown) => {
        if (!isStopped) log.warn({ err: error }, 'the look for deliveries failed');
      })
      .finally(() => {
        looking = undefined;
      });
  }

  const watch = await database.watch(
    CHANNEL,
    (payload) => courier.send(readEndpoint(payload)),
    lookAgain,
  );
  const timer = setInterval(lookAgain, LOOK_EVERY_MS);
  timer.unref();
  return {
    async deliverDue() {
      await look();
      await courier.settle();
    },
    async stop() {
      isStopped = true;
      courier.stop();
      clearInterval(timer);
      await watch.stop();
      await looking;
      // What is still under way then is cut off, and made again by whoever comes next.
      await Promise.race([courier.settle(), wait(GRACE_MS, undefined, { ref: false })]);
      await egress.close();
      await courier.settle();
    },
  };
}

function readEndpoint(payload: string): EndpointRef[] {
  const [tenant = '', webhook = ''] = payload.split(' ', 2);
  const [tenantId, webhookId] = [parseTenantId(tenant), parseWebhookId(webhook)];
  return tenantId && webhookId ? [{ tenantId, webhookId }] : [];
}

function countAttempts({ metrics, system, clock }: Parts): (outcome: Verdict['outcome']) => void {
  const count = metrics.counter(
    'keywright_webhook_attempts_total',
    'Attempts to deliver an event, by how they ended.',
    ['outcome'],
  );
  metrics.gauge(
    'keywright_webhook_queue',
    'Deliveries that wait, and for how many seconds the first that is due has waited.',
    async () => {
      const queue = await system.upkeep('measure the queue', (tx) => measureQueue(tx, clock.now()));
      return { pending: queue.pending, lag_seconds: queue.lagSeconds };
    },
    'of',
  );
  return (outcome) => count({ outcome });
}
