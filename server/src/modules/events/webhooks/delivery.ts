import { createCache } from '../../../platform/cache/cache.ts';
import { unseal } from '../../../platform/crypto/sealed.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { ClaimedDelivery } from './queue-store.ts';
import { judge, KEPT_BYTES, type Verdict } from './rules.ts';
import { type SecretKeys, secretKeysOf, secretPlace } from './secret.ts';
import { signatureHeaders } from './signature.ts';

const TIMEOUT_MS = 15_000;
const MAX_SECRETS = 5000;

/** Makes one attempt to deliver. Never throws because of the endpoint. */
export type Attempt = (delivery: ClaimedDelivery) => Promise<Verdict>;

export function createAttempt(egress: Egress, dataKeys: DataKeys, clock: Clock): Attempt {
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
