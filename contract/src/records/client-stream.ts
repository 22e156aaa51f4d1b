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
    method: Type.Enum(['push', 'poll'], { description: 'How events are delivered.' }),
    endpoint_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Where events are pushed to; null: they are polled.',
      examples: ['https://receiver.example.com/events'],
    }),
    events: Type.Array(
      Type.Enum([...SIGNAL_NAMES], {
        description: 'A type of event.',
        examples: ['session-revoked'],
      }),
      { description: 'The types of events that the stream delivers.' },
    ),
    description: Type.Union([Type.String(), Type.Null()], {
      description: 'The description that the receiver gave it; null: none.',
      examples: ['Sessions of the web shop'],
    }),
    status: StreamStatus.properties.status,
    status_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'The reason for the status; null: none was given.',
      examples: [null],
    }),
    failing_since: timestampOrNull(
      'Since when every push has failed; null: the last one succeeded, or there was none.',
    ),
    created_at: CreatedAt,
  },
  {
    $id: 'ClientStream',
    description: 'A stream of shared signals, as administrators see it: without its header.',
  },
);
export type ClientStreamRecord = Static<typeof ClientStreamRecord>;
