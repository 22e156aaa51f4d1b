import { type KeyObject, randomBytes } from 'node:crypto';
import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { takeSecretKey } from '../../../platform/crypto/secret-key.ts';

const SECRET_BYTES = 32;
/** The prefix of a secret in base64, as in Standard Webhooks. */
const BASE64_PREFIX = 'whsec_';

export function newWebhookSecret(): string {
  return BASE64_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The place that a secret is sealed for. */
export function secretPlace(tenantId: TenantId, id: WebhookId): string {
  return `webhooks/${tenantId}/${id}/secret`;
}

/** The keys of a secret: its text, and the key of Standard Webhooks. */
export interface SecretKeys {
  readonly text: KeyObject;
  readonly standard: KeyObject;
}

/** @param secret owned and wiped by this */
export function secretKeysOf(secret: Buffer): SecretKeys {
  const standard = takeSecretKey(standardKey(secret.toString()));
  return { text: takeSecretKey(secret), standard };
}

/** The key of Standard Webhooks: the base64 after the prefix, decoded, or the text itself if it is not base64. */
function standardKey(secret: string): Buffer {
  const key = Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64');
  // Decoding invalid base64 yields something shorter, or nothing.
  const isBase64 = key.length > 0 && BASE64_PREFIX + key.toString('base64') === secret;
  return isBase64 ? key : Buffer.from(secret);
}
