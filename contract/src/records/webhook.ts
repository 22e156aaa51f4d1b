import Type, { type Static } from 'typebox';
import { EventTypeSchema } from '../events.ts';
import { DeliveryIdSchema, EventIdSchema, TenantIdSchema, WebhookIdSchema } from '../ids.ts';
import { CreatedAt, nameOf, timestampOrNull } from './record-fields.ts';
import { secret } from './tokens.ts';

/** The word `example`, base64. */
export const EXAMPLE_WEBHOOK_SECRET = 'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUh';

export const WebhookRecord = Type.Object(
  {
    id: WebhookIdSchema,
    tenant_id: TenantIdSchema,
    url: nameOf('Where deliveries are sent.', 'https://hooks.example.com/keywright'),
    events: Type.Array(EventTypeSchema, { description: 'The kinds of events that it is sent.' }),
    is_active: Type.Boolean({ description: 'Inactive, it is sent nothing.' }),
    disabled_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the service switched it off; null when it did not.',
      examples: [null],
    }),
    failing_since: timestampOrNull(
      'Since when every delivery has failed; null when the last one did not.',
    ),
    overlap_ends_at: timestampOrNull('After a rotation: until when the secret before is good too.'),
    created_at: CreatedAt,
  },
  { $id: 'Webhook', description: 'An endpoint that events are delivered to.' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

/** With the secret. A repeated answer lacks it. */
export const WebhookWithSecret = Type.Object(
  {
    ...WebhookRecord.properties,
    secret: Type.Optional(
      secret({
        description: 'Signing secret: shown now and never again.',
        examples: [EXAMPLE_WEBHOOK_SECRET],
      }),
    ),
  },
  {
    $id: 'WebhookWithSecret',
    description: 'A webhook as the answers show it that make a secret.',
  },
);

/** Shortest and longest signing secret that is taken, in characters. */
export const WEBHOOK_SECRET_LENGTH = { min: 16, max: 256 } as const;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

export const DeliveryRecord = Type.Object(
  {
    id: DeliveryIdSchema,
    tenant_id: TenantIdSchema,
    webhook_id: WebhookIdSchema,
    event_id: EventIdSchema,
    event_type: nameOf('The kind of the event.', 'user.created'),
    status: Type.Enum([...DELIVERY_STATES], {
      description: '`pending`: an attempt is due or under way; `failed`: there will be none.',
      examples: ['delivered'],
    }),
    attempts: Type.Integer({ description: 'How many were made.', examples: [1] }),
    next_attempt_at: timestampOrNull('When the next one is due; null: there will be none.'),
    last_attempt_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the last one was made; null: none was.',
    }),
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of the last attempt; null when there was no answer.',
      examples: [200],
    }),
    response_body: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 1,024 bytes of the last answer.',
      examples: ['ok'],
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed.',
      examples: [null],
    }),
    created_at: CreatedAt,
  },
  { $id: 'Delivery', description: 'One event on its way to one endpoint.' },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;
