import Type from 'typebox';
import { EVENT_TYPES, EventRecord, EVENTS, type EventType } from './events.ts';
import { scopesToReceive } from './event-scopes.ts';
import { exampleOf } from './example.ts';
import { portable } from './openapi-schema.ts';

type Json = Record<string, unknown>;

const header = (name: string, description: string, pattern: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', pattern },
  example,
});

/**
 * The headers of deliveries. They are not components, because openapi-generator does not resolve references from a
 * webhook.
 */
const DELIVERY_HEADERS = [
  header(
    'X-Service-Signature',
    'Lowercase hex HMAC-SHA256 of the raw body, keyed with the webhook’s secret. Compare it in constant time.',
    '^[0-9a-f]{64}$',
    '5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ),
  header(
    'webhook-id',
    'ID of the event, identical in every attempt. Ignore IDs that you have already processed (Standard Webhooks).',
    '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    String(exampleOf(EventRecord.properties.id)),
  ),
  header(
    'webhook-timestamp',
    'Time of the attempt, in seconds since the epoch.',
    '^[0-9]{1,15}$',
    '1795339800',
  ),
  header(
    'webhook-signature',
    '`v1,` followed by the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. While two secrets are valid, contains one signature for each, separated by a space.',
    '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$',
    'v1,UleoaefuzrrajdqB9v4Xl0aPzpVnS7wM3cH2kQ5yZ1s=',
  ),
];

/** Returns the requests that the service sends, one per event type. */
export function webhooksSection(): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: delivery(type) }]));
}

function delivery(type: EventType): Json {
  const { meaning, data } = EVENTS[type];
  const scopes = scopesToReceive(type).map((scope) => `\`${scope}\``);
  const event = Type.Object({
    ...EventRecord.properties,
    type: Type.Literal(type, { description: 'Type of the event.' }),
    data: Type.Object(data.properties, {
      description: 'The event.',
      additionalProperties: true,
    }),
  });
  return {
    operationId: type,
    summary: meaning.replace(/\.$/, ''),
    description: `Sent to webhooks that subscribe to this type, which requires ${scopes.join(' and ')}. Delivered at least once, in no guaranteed order. Failed deliveries are retried for days.`,
    security: [],
    parameters: DELIVERY_HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: portable(event), example: exampleOf(event) } },
    },
    responses: {
      '2XX': { description: 'Delivered. Respond within 15 seconds.' },
      '410': { description: 'The receiver is gone. The webhook is disabled.' },
      default: { description: 'Not delivered. The delivery is retried later.' },
    },
  };
}
