import Type from 'typebox';
import { EventTypeSchema } from '../events.ts';
import { DeliveryIdSchema, type EventId, EventIdSchema, pathId, WebhookIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { secret } from '../records/tokens.ts';
import {
  DELIVERY_STATES,
  DeliveryRecord,
  EXAMPLE_WEBHOOK_SECRET,
  WEBHOOK_SECRET_LENGTH,
  WebhookRecord,
  WebhookWithSecret,
} from '../records/webhook.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/webhooks` as const;
const webhookPath = Type.Object({ webhook_id: pathId(WebhookIdSchema) });
const deliveryPath = Type.Object({
  webhook_id: pathId(WebhookIdSchema),
  delivery_id: pathId(DeliveryIdSchema),
});

const Url = Type.String({
  minLength: 8,
  maxLength: 2048,
  description: 'A public https URL, or a URL that the operator allows.',
  examples: ['https://hooks.example.com/keywright'],
});
const Events = Type.Array(EventTypeSchema, {
  minItems: 1,
  maxItems: 64,
  uniqueItems: true,
  description: 'Event types to send.',
});
const SECRET_TEXT = {
  minLength: 1,
  maxLength: WEBHOOK_SECRET_LENGTH,
  examples: [EXAMPLE_WEBHOOK_SECRET],
};
const Secret = secret({
  ...SECRET_TEXT,
  description:
    'Signing secret. Default: 32 generated random bytes. A short secret can be guessed from a signed delivery, so use at least 32 random characters. If the secret is `whsec_` followed by base64, the Standard Webhooks headers are signed with the decoded bytes, otherwise with the text itself.',
});

export const listWebhooks = route({
  id: 'webhooks.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:webhooks' },
  summary: 'List webhooks',
  description: 'Newest first. Secrets are not shown.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(WebhookRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createWebhook = route({
  id: 'webhooks.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:webhooks' },
  summary: 'Create a webhook',
  description:
    'The secret is shown only in this response. Requires the scopes to read what the events contain; the list of events names them.',
  body: closed({ url: Url, events: Events, secret: Type.Optional(Secret) }),
  idempotent: true,
  ok: { status: 201, body: WebhookWithSecret },
  errors: ['VALIDATION_FAILED', 'SCOPE_NOT_HELD', 'TOO_MANY_WEBHOOKS'],
});

export const getWebhook = route({
  id: 'webhooks.get',
  method: 'GET',
  path: `${BASE}/:webhook_id`,
  access: { scope: 'read:webhooks' },
  summary: 'Get a webhook',
  description: 'Returns the webhook without its secret.',
  params: webhookPath,
  ok: { status: 200, body: WebhookRecord },
  errors: ['NOT_FOUND'],
});

export const updateWebhook = route({
  id: 'webhooks.update',
  method: 'PATCH',
  path: `${BASE}/:webhook_id`,
  access: { scope: 'write:webhooks' },
  summary: 'Update a webhook',
  description:
    'Events that happen while the webhook is inactive are not queued for it; use `replay` to send them later. Deliveries that are already queued are kept. Every change except `is_active: false` requires the scopes to read what the webhook’s events contain. If you change `url`, you must also send `secret`.',
  params: webhookPath,
  body: closed(
    {
      url: Type.Optional(Url),
      secret: Type.Optional(
        secret({
          ...SECRET_TEXT,
          description:
            'Required if you change `url`: the current secret or a new one. It replaces the current secret without an overlap.',
        }),
      ),
      events: Type.Optional(Events),
      is_active: Type.Optional(
        Type.Boolean({
          description: 'Whether the webhook is active. Nothing is sent to an inactive webhook.',
        }),
      ),
    },
    { minProperties: 1 },
  ),
  ok: { status: 200, body: WebhookRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const deleteWebhook = route({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: `${BASE}/:webhook_id`,
  access: { scope: 'delete:webhooks' },
  summary: 'Delete a webhook',
  description:
    'Nothing more is sent to the webhook, including queued deliveries. Its delivery log is no longer available and is deleted together with the events after 30 days.',
  params: webhookPath,
  ok: { status: 200, body: deleted(WebhookIdSchema) },
  errors: ['NOT_FOUND'],
});

export const rotateWebhookSecret = route({
  id: 'webhooks.rotate',
  method: 'POST',
  path: `${BASE}/:webhook_id/rotate`,
  access: { scope: 'write:webhooks' },
  summary: 'Rotate the secret of a webhook',
  description:
    'During the overlap, both secrets are valid. `webhook-signature` contains one signature for each. `X-Service-Signature` uses the previous secret until the overlap ends.',
  params: webhookPath,
  body: closed({
    secret: Type.Optional(Secret),
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        description:
          'Number of hours that the previous secret remains valid. Default: 24. Use 0 for a leaked secret.',
        examples: [24],
      }),
    ),
  }),
  idempotent: true,
  ok: { status: 200, body: WebhookWithSecret },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const listDeliveries = route({
  id: 'webhooks.list_deliveries',
  method: 'GET',
  path: `${BASE}/:webhook_id/deliveries`,
  access: { scope: 'read:webhooks' },
  summary: 'List the deliveries of a webhook',
  description: 'Newest first, with the last response to each. Kept for 30 days.',
  params: webhookPath,
  query: closed({
    ...listQuery,
    sort: SORT_BY_AGE,
    status: Type.Optional(
      Type.Enum([...DELIVERY_STATES], { description: 'Only deliveries with this status.' }),
    ),
  }),
  ok: { status: 200, body: listOf(DeliveryRecord) },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const testWebhook = route({
  id: 'webhooks.test',
  method: 'POST',
  path: `${BASE}/:webhook_id/test`,
  access: { scope: 'write:webhooks' },
  summary: 'Send a test event to a webhook',
  description:
    'Sends `webhook.test` only to this webhook, regardless of its event types. The delivery shows the result.',
  params: webhookPath,
  idempotent: true,
  ok: { status: 200, body: DeliveryRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const retryDelivery = route({
  id: 'webhooks.retry_delivery',
  method: 'POST',
  path: `${BASE}/:webhook_id/deliveries/:delivery_id/retry`,
  access: { scope: 'write:webhooks' },
  summary: 'Resend an event immediately',
  description: 'Starts over with the first attempt, regardless of the previous result.',
  params: deliveryPath,
  idempotent: true,
  ok: { status: 200, body: DeliveryRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

/** The maximum number of events that a replay request can queue. */
export const REPLAY_AT_ONCE = 1000;

export const replayWebhook = route({
  id: 'webhooks.replay',
  method: 'POST',
  path: `${BASE}/:webhook_id/replay`,
  access: { scope: 'write:webhooks' },
  summary: 'Replay all events after a given one',
  description: `Sends the event types that the webhook subscribes to, in the order of the log, ${REPLAY_AT_ONCE} per call. While \`next_after\` is present, call again with it. Deliveries that are waiting for their next attempt are sent now. Those in progress are not changed.`,
  params: webhookPath,
  body: closed({
    after: Type.Unsafe<EventId>({
      ...EventIdSchema,
      description: 'The replay starts after this event.',
    }),
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'With `true`, queues nothing and returns what would be queued.',
      }),
    ),
  }),
  idempotent: true,
  ok: {
    status: 200,
    body: Type.Object({
      queued: Type.Integer({ description: 'Number of queued events.', examples: [1000] }),
      next_after: Type.Optional(
        Type.Unsafe<EventId>({
          ...EventIdSchema,
          description: 'Value of `after` for the next call. Absent if all events are queued.',
        }),
      ),
    }),
  },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const WEBHOOK_ROUTES = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listDeliveries,
  testWebhook,
  retryDelivery,
  replayWebhook,
] as const;
