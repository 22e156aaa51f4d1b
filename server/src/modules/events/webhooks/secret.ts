import { type KeyObject, randomBytes } from 'node:crypto';
import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { takeSecretKey } from '../../../platform/crypto/secret-key.ts';

const SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 16;
/** The prefix of a secret in base64, as in Standard Webhooks. */
const BASE64_PREFIX = 'whsec_';

export function newWebhookSecret(): string {
  return BASE64_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Why a given secret cannot be used for signing; undefined when it can. */
export function objectionToSecret(secret: string): string | undefined {
  if (!secret.startsWith(BASE64_PREFIX)) return undefined;
  const key = standardKey(secret);
  // Invalid base64 would be decoded as something shorter, or as nothing.
  const isExact = BASE64_PREFIX + key.toString('base64') === secret;
  return isExact && key.length >= MIN_SECRET_BYTES
    ? undefined
    : `begins with ${BASE64_PREFIX} and is not base64 of at least ${MIN_SECRET_BYTES} bytes behind it`;
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

/** The key of Standard Webhooks: the decoded base64, or the text itself. */
function standardKey(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret);
}
