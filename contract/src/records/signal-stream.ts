import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { exampleOf } from '../example.ts';
import { OAuthClientIdSchema, SignalStreamIdSchema } from '../ids.ts';
import { LINE_OF_TEXT } from '../shape.ts';
import { DELIVERY_METHODS, SIGNALS } from '../signals.ts';
import { secret } from './tokens.ts';

const ISSUER = 'https://id.example.com/t/org_acme';
const RECEIVER = 'https://receiver.example.com/events';

const eventTypes = (description: string) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 256,
      ...LINE_OF_TEXT,
      description: 'URI of an event type.',
      examples: [SIGNALS['session-revoked']],
    }),
    { maxItems: 64, description },
  );

const Method = Type.Enum(Object.values(DELIVERY_METHODS), {
  description: '`urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled.',
  examples: [DELIVERY_METHODS.push],
});

/** The part of a stream that its receiver sets (Shared Signals Framework §8.1.1). */
export const STREAM_REQUEST = {
  delivery: Type.Optional(
    Type.Object(
      {
        method: Method,
        endpoint_url: Type.Optional(
          Type.String({
            minLength: 5,
            maxLength: 2048,
            pattern: '^[\\x21-\\x7e]+$',
            [EXPECTS]: 'a URL of printable ASCII without spaces',
            description: 'URL that events are pushed to. For a polled stream, the service sets it.',
            examples: [RECEIVER],
          }),
        ),
        authorization_header: Type.Optional(
          secret({
            maxLength: 2048,
            pattern: '^[\\x20-\\x7e]*$',
            [EXPECTS]: 'printable ASCII',
            description:
              'Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none.',
            examples: ['Bearer 2YotnFZFEjr1zCsicMWpAA'],
          }),
        ),
      },
      { description: 'Delivery method. Default: events are polled.' },
    ),
  ),
  events_requested: Type.Optional(
    eventTypes('Event types that the receiver wants. Unsupported types are ignored. Default: all.'),
  ),
  description: Type.Optional(
    Type.String({
      maxLength: 256,
      ...LINE_OF_TEXT,
      description: 'Purpose of the stream.',
      examples: ['Sessions of the web shop'],
    }),
  ),
};

/** The properties that only the transmitter sets. A request that contains them must contain their current values. */
export const TRANSMITTER_SUPPLIED = {
  iss: Type.Optional(Type.String({ maxLength: 2048, description: 'The current value.' })),
  aud: Type.Optional(Type.String({ maxLength: 2048, description: 'The current value.' })),
  events_supported: Type.Optional(eventTypes('The current values.')),
  events_delivered: Type.Optional(eventTypes('The values before the change.')),
  min_verification_interval: Type.Optional(Type.Integer({ description: 'The current value.' })),
};

export const StreamId = Type.String({
  maxLength: 64,
  description: 'ID of a stream: `stream_<id>`.',
  examples: [exampleOf(SignalStreamIdSchema)],
});

export const SignalStreamRecord = Type.Object(
  {
    stream_id: SignalStreamIdSchema,
    iss: Type.String({ description: 'The issuer, as in each event.', examples: [ISSUER] }),
    aud: OAuthClientIdSchema,
    delivery: Type.Object(
      {
        method: Method,
        endpoint_url: Type.String({
          description: 'URL that events are pushed to or polled from.',
          examples: [RECEIVER],
        }),
      },
      { description: 'Delivery method.' },
    ),
    events_supported: eventTypes('Supported event types.'),
    events_requested: eventTypes('Event types that the receiver requested.'),
    events_delivered: eventTypes('Event types that the stream delivers.'),
    description: Type.Optional(
      Type.String({
        description: 'Purpose of the stream.',
        examples: ['Sessions of the web shop'],
      }),
    ),
    min_verification_interval: Type.Integer({
      description: 'Minimum number of seconds between two verification requests.',
      examples: [10],
    }),
  },
  {
    $id: 'SignalStream',
    description:
      'A stream of shared signals to one receiver (Shared Signals Framework §8.1.1). `aud` is the client.',
  },
);
export type SignalStreamRecord = Static<typeof SignalStreamRecord>;

const STREAM_STATES = ['enabled', 'paused', 'disabled'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

export const StreamStatus = Type.Object(
  {
    stream_id: StreamId,
    status: Type.Enum([...STREAM_STATES], {
      description:
        '`paused`: events are kept for seven days, up to the last 10,000. `disabled`: events are not kept.',
      examples: ['enabled'],
    }),
    reason: Type.Optional(
      Type.String({
        maxLength: 256,
        ...LINE_OF_TEXT,
        description: 'Reason for the status.',
        examples: ['Maintenance'],
      }),
    ),
  },
  { $id: 'SignalStreamStatus', description: 'Whether a stream delivers events.' },
);
export type StreamStatus = Static<typeof StreamStatus>;
