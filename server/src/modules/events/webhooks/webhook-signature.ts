import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { takeSecretKey } from '../../../platform/crypto/sealed.ts';

/** The signed text. */
interface SignedDelivery {
  /** The event's id. */
  readonly id: string;
  readonly body: string;
  readonly sentAt: Date;
  /** The valid secrets, newest first: one, or two during a rotation. */
  readonly secrets: readonly [SecretKeys, ...SecretKeys[]];
}

/**
 * The signatures of a delivery. `X-Service-Signature` is the lowercase hex HMAC-SHA256 of the body (SPEC events). It
 * holds one signature; during a rotation that is the signature of the older secret, which every receiver has. The
 * Standard Webhooks headers have one signature for each secret.
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

const SECRET_BYTES = 32;
/** The prefix of a base64 secret, as in Standard Webhooks. */
const BASE64_PREFIX = 'whsec_';

export function newWebhookSecret(): string {
  return BASE64_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The location to which the encryption of a secret is bound. */
export function secretPlace(tenantId: TenantId, id: WebhookId): string {
  return `webhooks/${tenantId}/${id}/secret`;
}

/** The keys of a secret: its text, and the Standard Webhooks key. */
export interface SecretKeys {
  readonly text: KeyObject;
  readonly standard: KeyObject;
}

/** @param secret is owned and wiped by this function */
export function secretKeysOf(secret: Buffer): SecretKeys {
  const standard = takeSecretKey(standardKey(secret.toString()));
  return { text: takeSecretKey(secret), standard };
}

/** The Standard Webhooks key: the base64 after the prefix, decoded, or the whole text if that is not base64. */
function standardKey(secret: string): Buffer {
  const key = Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64');
  // Decoding invalid base64 yields a shorter or empty result.
  const isBase64 = key.length > 0 && BASE64_PREFIX + key.toString('base64') === secret;
  return isBase64 ? key : Buffer.from(secret);
}
