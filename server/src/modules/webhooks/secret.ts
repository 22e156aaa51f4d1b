import { randomBytes } from 'node:crypto';
import type { TenantId, WebhookId } from '@keywright/contract/ids';

const SECRET_BYTES = 32;
/** Begins a secret whose bytes stand behind it in base64, as Standard Webhooks has it. */
const BASE64_PREFIX = 'whsec_';

export function newWebhookSecret(): string {
  return BASE64_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Where a secret is kept, which it is sealed for. */
export function secretPlace(tenantId: TenantId, id: WebhookId): string {
  return `webhooks/${tenantId}/${id}/secret`;
}

/** The bytes that Standard Webhooks signs with: those that the base64 stands for, or the text itself. */
export function standardKey(secret: string): Buffer {
  return secret.startsWith(BASE64_PREFIX)
    ? Buffer.from(secret.slice(BASE64_PREFIX.length), 'base64')
    : Buffer.from(secret);
}
