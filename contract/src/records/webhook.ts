import Type, { type Static } from 'typebox';
import { EventTypeSchema } from '../events.ts';
import { DeliveryIdSchema, EventIdSchema, TenantIdSchema, WebhookIdSchema } from '../ids.ts';
import { secret } from './tokens.ts';

const Time = Type.String({ format: 'date-time' });

export const WebhookRecord = Type.Object(
  {
    id: WebhookIdSchema,
    tenant_id: TenantIdSchema,
    url: Type.String(),
    events: Type.Array(EventTypeSchema),
    is_active: Type.Boolean(),
    disabled_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the service switched it off; null when it did not.',
    }),
    failing_since: Type.Union([Time, Type.Null()], {
      description: 'Since when every delivery has failed; null when the last one did not.',
    }),
    overlap_ends_at: Type.Union([Time, Type.Null()], {
      description: 'After a rotation: until when the secret before is good too.',
    }),
    created_at: Time,
  },
  { $id: 'Webhook', description: 'An endpoint that events are delivered to.' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

/** With the secret. A repeated answer lacks it. */
export const WebhookWithSecret = Type.Object(
  {
    ...WebhookRecord.properties,
    secret: Type.Optional(secret({ description: 'Signing secret: shown now and never again.' })),
  },
  { $id: 'WebhookWithSecret' },
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
    event_type: Type.String(),
    status: Type.Enum([...DELIVERY_STATES]),
    attempts: Type.Integer(),
    next_attempt_at: Type.Union([Time, Type.Null()]),
    last_attempt_at: Type.Union([Time, Type.Null()]),
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of the last attempt; null when there was no answer.',
    }),
    response_body: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 1,024 bytes of the last answer.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed.',
    }),
    created_at: Time,
  },
  { $id: 'Delivery', description: 'One event on its way to one endpoint.' },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;
