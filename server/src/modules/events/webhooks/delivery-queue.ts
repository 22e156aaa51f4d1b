import type { Counter } from '@keywright/contract/activity';
import type { WebhookId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import { type AfterCommit, topic } from '../../../tenancy/after-commit.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Definition, Ended, Room, KeyRef } from '../../../tenancy/jobs/definition.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import { createJobQueue, type JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { deliveriesQueued, record } from '../journal/index.ts';
import {
  conditionOf,
  hopelessSince,
  putOff,
  type Verdict,
  judge,
  KEPT_BYTES,
} from './delivery-rules.ts';
import {
  claimDeliveries,
  type ClaimedDelivery,
  findDueEndpoints,
  finishDeliveries,
  holdDeliveries,
  measureQueue,
  queueUnsent,
  readQueued,
} from './delivery-store.ts';
import { disableWebhook } from './endpoint-store.ts';
import {
  type SecretKeys,
  secretKeysOf,
  secretPlace,
  signatureHeaders,
} from './webhook-signature.ts';

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

/** Deliveries to this endpoint are due. The next poll makes up for a lost notification. */
export const endpointDue = topic<KeyRef<WebhookId>>('endpoint due');

const WHO = { kind: 'system', name: 'webhook delivery' } as const;

/** Disables an endpoint that answered 410 or has failed for days; once, with an event. */
function giveUpOn(gate: Gate, endpoint: KeyRef<WebhookId>, isGone: boolean): Promise<void> {
  const { tenantId, key: webhookId } = endpoint;
  const reason = isGone ? 'The endpoint answered 410.' : 'Every delivery has failed for five days.';
  return gate.into(tenantId).transaction(async (tx) => {
    if (!(await disableWebhook(tx, webhookId, reason))) return;
    await record(tx, WHO, {
      action: 'webhook.disabled',
      target: { kind: 'webhook', id: webhookId },
      details: { reason },
      events: [{ type: 'webhook.disabled', data: { webhook_id: webhookId, reason } }],
    });
  });
}

const TIMEOUT_MS = 15_000;
const MAX_SECRETS = 5000;

/** Makes one attempt to deliver. Never throws because of the endpoint. */
type Attempt = (delivery: ClaimedDelivery) => Promise<Verdict>;

function createAttempt(egress: Egress, dataKeys: DataKeys, clock: Clock): Attempt {
  const openSecret = createOpenSecret(dataKeys);

  return async (delivery) => {
    const body = envelopeOf(delivery);
    if (body === undefined) {
      const reason = 'event_expired: The event is no longer kept.';
      return { outcome: 'expired', dueAt: undefined, status: null, body: null, reason };
    }
    const secret = await openSecret(delivery, delivery.secret);
    const previous = delivery.previous_secret;
    const secrets = [secret, ...(previous ? [await openSecret(delivery, previous)] : [])] as const;
    const signed = { id: delivery.event_id, body, sentAt: clock.now(), secrets };
    const startedAt = performance.now();
    const outcome = await egress.send({
      method: 'POST',
      url: delivery.url,
      onBehalfOf: delivery.tenant_id,
      headers: { 'content-type': 'application/json', ...signatureHeaders(signed) },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: KEPT_BYTES,
      truncate: true,
    });
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...judge(outcome, delivery.attempts + 1, clock.now()), durationMs };
  };
}

/** The body of every attempt to deliver this event, byte for byte (SPEC events). */
function envelopeOf(delivery: ClaimedDelivery): string | undefined {
  const { event_id: id, event_type: type, event_created_at: at, event_data: data } = delivery;
  if (at === null || data === null) return undefined;
  const head = JSON.stringify({ id, type, created_at: at.toISOString() });
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** Decrypts a secret once. The cache is keyed by the encrypted bytes, so it cannot be stale. */
function createOpenSecret(dataKeys: DataKeys) {
  const opened = createCache<string, SecretKeys>(MAX_SECRETS);
  return async (delivery: ClaimedDelivery, sealed: Buffer): Promise<SecretKeys> => {
    const { tenant_id: tenantId, webhook_id: webhookId } = delivery;
    const place = secretPlace(tenantId, webhookId);
    const key = `${place} ${sealed.toString('base64')}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const secret = await dataKeys.use(tenantId, (dataKey) => unseal(dataKey, sealed, place));
    const keys = secretKeysOf(secret);
    opened.set(key, keys);
    return keys;
  };
}
