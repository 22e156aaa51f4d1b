import { createHmac } from 'node:crypto';
import type { SecretKeys } from './secret.ts';

/** The signed text. */
export interface SignedDelivery {
  /** The event's id. */
  readonly id: string;
  readonly body: string;
  readonly sentAt: Date;
  /** The secrets that are good, the newest first: one, or two while one takes over from the other. */
  readonly secrets: readonly [SecretKeys, ...SecretKeys[]];
}

/**
 * The signatures of a delivery. `X-Service-Signature` is the lower-case hex HMAC-SHA256 of the body (SPEC
 * events), and has room for one: while there are two secrets it is that of the older, which every receiver has.
 * The Standard Webhooks headers beside it carry one for each.
 */
export function signatureHeaders({ id, body, sentAt, secrets }: SignedDelivery) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const oldest = secrets.at(-1) ?? secrets[0];
  const standard = secrets.map(
    ({ standard: key }) =>
      `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'x-service-signature': createHmac('sha256', oldest.text).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
