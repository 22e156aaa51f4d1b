import type { Counter } from '@keywright/contract/activity';
import type { WebhookId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { topic } from '../../../tenancy/after-commit.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, SystemData } from '../../../tenancy/gate.ts';
import type { Definition, Ended, KeyRef, Room } from '../../../tenancy/jobs/definition.ts';
import { JobQueue } from '../../../tenancy/jobs/queue.ts';
import type { Core } from '../../../tenancy/module.ts';
import { deliveriesQueued, record } from '../journal/index.ts';
import {
  conditionOf,
  hopelessSince,
  judge,
  STORED_BYTES,
  putOff,
  type Verdict,
} from './delivery-rules.ts';
import {
  claimDeliveries,
  type ClaimedDelivery,
  findDueEndpoints,
  finishDeliveries,
  renewDeliveries,
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

/** Below the limits of the egress, to leave capacity for other calls. */
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
/** `kw_queue_unsent` ignores events that were queued more recently than this. */
const LEASE_SECONDS = 6;
export const TIMEOUT_MS = 15_000;
const MAX_SECRETS = 5000;
const SYSTEM = { kind: 'system', name: 'webhook delivery' } as const;

/** Published when deliveries to this endpoint are due. The next poll makes up for a lost notification. */
export const endpointDue = topic<KeyRef<WebhookId>>('endpoint due');

/** Delivers events from this node to their endpoints. */
export class DeliveryQueue extends JobQueue<ClaimedDelivery, WebhookId, Verdict> {
  constructor(core: Core) {
    super(defineDeliveries(core), core);
    core.afterCommit.subscribe(endpointDue, (endpoint) => this.wake(endpoint));
    core.afterCommit.subscribe(deliveriesQueued, ({ tenantId, queued }) =>
      this.take(queued.map((row) => readQueued(tenantId, row))),
    );
  }
}

/** The counters of GET /activity, for outcomes after a request was sent. */
const COUNTED_AS: Readonly<Partial<Record<Verdict['outcome'], Counter>>> = {
  delivered: 'deliveries.delivered',
  retry: 'deliveries.failed',
  failed: 'deliveries.failed',
  gone: 'deliveries.failed',
};

function defineDeliveries(core: Core): Definition<ClaimedDelivery, Verdict, WebhookId> {
  const { gate, system, clock, egress, dataKeys, activity, metrics } = core;
  const attempts = new DeliveryAttempts(egress, dataKeys, clock);
  const count = countAttempts(metrics, system);
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
    renew: (deliveries, until) => renewDeliveries(gate, deliveries, until),
    finish: (ended) => finish(gate, ended, clock.now()),
    keyOf: (delivery) => ({ tenantId: delivery.tenant_id, key: delivery.webhook_id }),
    async attempt(delivery) {
      const verdict = await attempts.attempt(delivery);
      count(verdict.outcome);
      const counter = COUNTED_AS[verdict.outcome];
      if (counter) activity.count(delivery.tenant_id, counter);
      return verdict;
    },
    release: putOff,
    judge: conditionOf,
  };
}

function countAttempts(
  metrics: Metrics,
  system: SystemData,
): (outcome: Verdict['outcome']) => void {
  const count = metrics.counter(
    'keywright_webhook_attempts_total',
    'Attempts to deliver an event, by outcome.',
    ['outcome'],
  );
  metrics.gauge(
    'keywright_webhook_queue',
    'Pending deliveries, and for how many seconds the oldest that is due has waited.',
    () => system.maintain('measure the queue', measureQueue),
    'of',
    // Every process reads the same queue.
    'max',
  );
  return (outcome) => count({ outcome });
}

/** Stores the results of attempts, and disables endpoints that responded with 410 or have failed for days. */
async function finish(
  gate: Gate,
  ended: readonly Ended<ClaimedDelivery, Verdict>[],
  now: Date,
): Promise<void> {
  const hopeless = await finishDeliveries(gate, ended, now, hopelessSince(now));
  for (const endpoint of hopeless) {
    await disable(gate, endpoint, 'Every delivery has failed for five days.');
  }
  for (const { job, verdict } of ended) {
    if (verdict.outcome !== 'gone') continue;
    const endpoint = { tenantId: job.tenant_id, key: job.webhook_id };
    await disable(gate, endpoint, 'The endpoint returned 410.');
  }
}

/** Disables an endpoint, and emits the event only once. */
function disable(
  gate: Gate,
  { tenantId, key: webhookId }: KeyRef<WebhookId>,
  reason: string,
): Promise<void> {
  return gate.into(tenantId).transaction(async (tx) => {
    if (!(await disableWebhook(tx, webhookId, reason))) return;
    await record(tx, SYSTEM, {
      action: 'webhook.disabled',
      target: { kind: 'webhook', id: webhookId },
      details: { reason },
      events: [{ type: 'webhook.disabled', data: { webhook_id: webhookId, reason } }],
    });
  });
}

/** Sends signed deliveries. */
class DeliveryAttempts {
  readonly #egress: Egress;
  readonly #dataKeys: DataKeys;
  readonly #clock: Clock;
  readonly #secrets = new Cache<string, SecretKeys>(MAX_SECRETS);

  constructor(egress: Egress, dataKeys: DataKeys, clock: Clock) {
    this.#egress = egress;
    this.#dataKeys = dataKeys;
    this.#clock = clock;
  }

  /** Makes one delivery attempt. Never throws because of the endpoint. */
  async attempt(delivery: ClaimedDelivery): Promise<Verdict> {
    const body = envelopeOf(delivery);
    if (body === undefined) {
      const reason = { code: 'event_expired', detail: 'The event is no longer retained.' };
      return { outcome: 'expired', dueAt: undefined, status: null, body: null, reason };
    }
    const secret = await this.#openSecret(delivery, delivery.secret);
    const { previous_secret: sealed } = delivery;
    const previous = sealed ? [await this.#openSecret(delivery, sealed)] : [];
    const secrets = [secret, ...previous] as const;
    const signed = { id: delivery.event_id, body, sentAt: this.#clock.now(), secrets };
    const startedAt = performance.now();
    const outcome = await this.#egress.send({
      method: 'POST',
      url: delivery.url,
      onBehalfOf: delivery.tenant_id,
      headers: { 'content-type': 'application/json', ...signatureHeaders(signed) },
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: STORED_BYTES,
      truncate: true,
    });
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...judge(outcome, delivery.attempts + 1, this.#clock.now()), durationMs };
  }

  /** Decrypts each secret once. The cache is keyed by the encrypted bytes, so it cannot be stale. */
  async #openSecret(
    { tenant_id: tenantId, webhook_id: webhookId }: ClaimedDelivery,
    sealed: Buffer,
  ): Promise<SecretKeys> {
    const place = secretPlace(tenantId, webhookId);
    const key = `${place} ${sealed.toString('base64')}`;
    const cached = this.#secrets.get(key);
    if (cached !== undefined) return cached;
    const secret = await this.#dataKeys.use(tenantId, (dataKey) => unseal(dataKey, sealed, place));
    const keys = secretKeysOf(secret);
    this.#secrets.set(key, keys);
    return keys;
  }
}

/** The body of every delivery attempt of this event, byte for byte (SPEC events). */
function envelopeOf(delivery: ClaimedDelivery): string | undefined {
  const { event_id: id, event_type: type, event_created_at: at, event_data: data } = delivery;
  if (at === null || data === null) return undefined;
  const head = JSON.stringify({ id, type, created_at: at.toISOString() });
  return `${head.slice(0, -1)},"data":${data}}`;
}
