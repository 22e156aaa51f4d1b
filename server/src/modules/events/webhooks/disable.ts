import type { WebhookId } from '@keywright/contract/ids';
import type { Gate } from '../../../tenancy/gate.ts';
import type { KeyRef } from '../../../tenancy/jobs/definition.ts';
import { record } from '../journal/index.ts';
import { disableWebhook } from './queue-store.ts';

const WHO = { kind: 'system', name: 'webhook delivery' } as const;

/** Disables an endpoint that answered 410 or has failed for days; once, with an event. */
export function giveUpOn(gate: Gate, endpoint: KeyRef<WebhookId>, isGone: boolean): Promise<void> {
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
