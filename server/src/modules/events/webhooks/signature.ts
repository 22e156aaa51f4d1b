import { createHmac } from 'node:crypto';
import type { SecretKeys } from './secret.ts';

/** The signed text. */
export interface SignedDelivery {
  /** The event's id. */
  readonly id: string;
  readonly body: string;
  readonly sentAt: Date;
  /** The valid secrets, newest first: one, or two during a rotation. */
  readonly secrets: readonly [SecretKeys, ...SecretKeys[]];
}

/**
 * The signatures of a delivery. `X-Service-Signature` is the lower-case hex HMAC-SHA256 of the body (SPEC events). It
 * holds one signature: during a rotation that of the older secret, which every receiver has. The Standard Webhooks
 * headers have one for each secret.
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
