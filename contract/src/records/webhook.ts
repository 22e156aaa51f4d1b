import Type, { type Static } from 'typebox';
import { EventTypeSchema } from '../events.ts';
import { DeliveryIdSchema, EventIdSchema, TenantIdSchema, WebhookIdSchema } from '../ids.ts';
import { CreatedAt, nameOf, timestamp, timestampOrNull } from './record-fields.ts';
import { secret } from './tokens.ts';

/** The word `example`, base64. */
export const EXAMPLE_WEBHOOK_SECRET = 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUh';

export const WebhookRecord = Type.Object(
  {
    id: WebhookIdSchema,
    tenant_id: TenantIdSchema,
    url: nameOf('URL that events are delivered to.', 'https://hooks.example.com/keywright'),
    events: Type.Array(EventTypeSchema, { description: 'Event types that the webhook receives.' }),
    is_active: Type.Boolean({
      description: 'Whether the webhook is active. Nothing is sent to an inactive webhook.',
    }),
    disabled_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the service disabled the webhook; `null` if it did not.',
      examples: [null],
    }),
    failing_since: timestampOrNull(
      'Time since which every delivery has failed; `null` if the last delivery succeeded.',
    ),
    overlap_ends_at: timestampOrNull(
      'After a rotation: when the previous secret stops being valid.',
    ),
    created_at: CreatedAt,
  },
  { $id: 'Webhook', description: 'An endpoint that receives events.' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

/** The record with the secret. A repeated response omits the secret. */
export const WebhookWithSecret = Type.Object(
  {
    ...WebhookRecord.properties,
    secret: Type.Optional(
      secret({
        description: 'The signing secret. Shown only once.',
        examples: [EXAMPLE_WEBHOOK_SECRET],
      }),
    ),
  },
  {
    $id: 'WebhookWithSecret',
    description: 'A webhook, as returned when its secret is created.',
  },
);

/** Maximum length of a signing secret, in characters. */
export const WEBHOOK_SECRET_LENGTH = 255;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

const statusOf = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description, examples: [200] });

const DeliveryAttempt = Type.Object(
  {
    at: timestamp('When the attempt ended (ISO 8601, UTC).'),
    status: statusOf('HTTP status of the response; `null` without a response.'),
    duration_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Duration of the attempt, in milliseconds; `null` if it is unknown.',
      examples: [140],
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the attempt failed; `null` if it succeeded.',
      examples: [null],
    }),
    body: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 256 characters of the response.',
      examples: ['ok'],
    }),
  },
  { $id: 'DeliveryAttempt', description: 'One attempt to deliver an event.' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const DeliveryRecord = Type.Object(
  {
    id: DeliveryIdSchema,
    tenant_id: TenantIdSchema,
    webhook_id: WebhookIdSchema,
    event_id: EventIdSchema,
    event_type: nameOf('Type of the event.', 'user.created'),
    status: Type.Enum([...DELIVERY_STATES], {
      description:
        '`pending`: an attempt is due or in progress. `failed`: there are no more attempts.',
      examples: ['delivered'],
    }),
    attempts: Type.Integer({ description: 'Number of attempts so far.', examples: [1] }),
    next_attempt_at: timestampOrNull('Time of the next attempt; `null` if there is none.'),
    last_attempt_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Time of the last attempt; `null` if there was none.',
    }),
    response_status: statusOf('HTTP status of the last attempt; `null` without a response.'),
    response_body: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 1,024 bytes of the last response.',
      examples: ['ok'],
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed.',
      examples: [null],
    }),
    last_attempts: Type.Array(DeliveryAttempt, {
      description:
        'The last ten attempts, oldest first, including those made before the event was resent.',
    }),
    created_at: CreatedAt,
  },
  { $id: 'Delivery', description: 'The delivery of one event to one endpoint.' },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;
