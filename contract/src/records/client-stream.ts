import Type, { type Static } from 'typebox';
import { OAuthClientIdSchema, SignalStreamIdSchema, TenantIdSchema } from '../ids.ts';
import { SIGNAL_NAMES } from '../signals.ts';
import { CreatedAt, timestampOrNull } from './record-fields.ts';
import { StreamStatus } from './signal-stream.ts';

export const ClientStreamRecord = Type.Object(
  {
    id: SignalStreamIdSchema,
    tenant_id: TenantIdSchema,
    client_id: OAuthClientIdSchema,
    method: Type.Enum(['push', 'poll'], { description: 'Delivery method.' }),
    endpoint_url: Type.Union([Type.String(), Type.Null()], {
      description: 'URL that events are pushed to; `null` if they are polled.',
      examples: ['https://receiver.example.com/events'],
    }),
    events: Type.Array(
      Type.Enum([...SIGNAL_NAMES], {
        description: 'An event type.',
        examples: ['session-revoked'],
      }),
      { description: 'Event types that the stream delivers.' },
    ),
    description: Type.Union([Type.String(), Type.Null()], {
      description: 'Description that the receiver set; `null` for none.',
      examples: ['Sessions of the web shop'],
    }),
    status: StreamStatus.properties.status,
    status_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Reason for the status; `null` if none was given.',
      examples: [null],
    }),
    failing_since: timestampOrNull(
      'Time since which every push has failed; `null` if the last push succeeded or there was none.',
    ),
    created_at: CreatedAt,
  },
  {
    $id: 'ClientStream',
    description:
      'A stream of shared signals, as administrators see it, without its `Authorization` header.',
  },
);
export type ClientStreamRecord = Static<typeof ClientStreamRecord>;
