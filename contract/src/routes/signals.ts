import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { SignalStreamIdSchema } from '../ids.ts';
import {
  SignalStreamRecord,
  STREAM_REQUEST,
  StreamId,
  StreamStatus,
  TRANSMITTER_SUPPLIED,
} from '../records/signal-stream.ts';
import { route } from '../route.ts';
import { LINE_OF_TEXT } from '../shape.ts';
import { DELIVERY_METHODS, SIGNALS } from '../signals.ts';
import { byIssuer, REFUSALS } from './receiver-routes.ts';
import { POLL_ROUTES } from './signal-polling.ts';
import { TRANSMITTER_ROUTES } from './transmitter.ts';

const example = { stream_id: exampleOf(SignalStreamIdSchema) };
const STREAMS = '/oauth/ssf/streams';

export const CREATE_STREAM_ROUTES = byIssuer(
  route({
    id: 'signals.create_stream',
    method: 'POST',
    path: STREAMS,
    access: 'tenant',
    summary: 'Create a stream of signals',
    description:
      'Creates a stream for a receiver, which is an OAuth client with `shared_signals`. The scope is `ssf.manage`.',
    body: Type.Object(STREAM_REQUEST, {
      examples: [
        {
          delivery: {
            method: DELIVERY_METHODS.push,
            endpoint_url: 'https://receiver.example.com/events',
          },
          events_requested: [SIGNALS['session-revoked']],
        },
      ],
    }),
    ok: { status: 201, body: SignalStreamRecord },
    errors: [...REFUSALS, 'VALIDATION_FAILED', 'TOO_MANY_STREAMS'],
  }),
);

export const READ_STREAM_ROUTES = byIssuer(
  route({
    id: 'signals.read_streams',
    method: 'GET',
    path: STREAMS,
    access: 'tenant',
    summary: 'Get one stream of signals or all of them',
    description:
      'Returns the stream `stream_id`, or a list if you omit it. The scope is `ssf.read` or `ssf.manage`.',
    query: Type.Object({ stream_id: Type.Optional(StreamId) }),
    ok: {
      status: 200,
      body: Type.Union([SignalStreamRecord, Type.Array(SignalStreamRecord)], {
        description: 'The stream, or all streams of the receiver.',
      }),
    },
    errors: [...REFUSALS, 'NOT_FOUND'],
  }),
);

const CHANGED = { ...STREAM_REQUEST, ...TRANSMITTER_SUPPLIED, stream_id: StreamId };

export const UPDATE_STREAM_ROUTES = byIssuer(
  route({
    id: 'signals.update_stream',
    method: 'PATCH',
    path: STREAMS,
    access: 'tenant',
    summary: 'Update a stream of signals',
    description: 'Only the fields that you send are changed. The scope is `ssf.manage`.',
    body: Type.Object(CHANGED, { examples: [{ ...example, description: 'Web shop' }] }),
    ok: { status: 200, body: SignalStreamRecord },
    errors: [...REFUSALS, 'VALIDATION_FAILED', 'NOT_FOUND'],
  }),
);

export const REPLACE_STREAM_ROUTES = byIssuer(
  route({
    id: 'signals.replace_stream',
    method: 'PUT',
    path: STREAMS,
    access: 'tenant',
    summary: 'Replace the configuration of a stream of signals',
    description: 'Omitted fields get their defaults. The scope is `ssf.manage`.',
    body: Type.Object(CHANGED, { examples: [{ ...example, description: 'Web shop' }] }),
    ok: { status: 200, body: SignalStreamRecord },
    errors: [...REFUSALS, 'VALIDATION_FAILED', 'NOT_FOUND'],
  }),
);

export const DELETE_STREAM_ROUTES = byIssuer(
  route({
    id: 'signals.delete_stream',
    method: 'DELETE',
    path: STREAMS,
    access: 'tenant',
    summary: 'Delete a stream of signals',
    description: 'Deletes the stream and its undelivered events. The scope is `ssf.manage`.',
    query: Type.Object({ stream_id: StreamId }),
    ok: { kind: 'empty', status: 204 },
    errors: [...REFUSALS, 'NOT_FOUND'],
  }),
);

export const READ_STATUS_ROUTES = byIssuer(
  route({
    id: 'signals.read_status',
    method: 'GET',
    path: '/oauth/ssf/status',
    access: 'tenant',
    summary: 'Get the status of a stream of signals',
    description: 'The scope is `ssf.read` or `ssf.manage`.',
    query: Type.Object({ stream_id: StreamId }),
    ok: { status: 200, body: StreamStatus },
    errors: [...REFUSALS, 'NOT_FOUND'],
  }),
);

export const UPDATE_STATUS_ROUTES = byIssuer(
  route({
    id: 'signals.update_status',
    method: 'POST',
    path: '/oauth/ssf/status',
    access: 'tenant',
    summary: 'Pause, disable or enable a stream of signals',
    description:
      'If a paused stream is enabled, its undelivered events are delivered. The scope is `ssf.manage`.',
    body: StreamStatus,
    ok: { status: 200, body: StreamStatus },
    errors: [...REFUSALS, 'VALIDATION_FAILED', 'NOT_FOUND'],
  }),
);

export const VERIFY_STREAM_ROUTES = byIssuer(
  route({
    id: 'signals.verify_stream',
    method: 'POST',
    path: '/oauth/ssf/verify',
    access: 'tenant',
    summary: 'Request a verification event',
    description:
      'The verification event is delivered like any other event of the stream, usually within a second or two. The scope is `ssf.manage`.',
    body: Type.Object(
      {
        stream_id: StreamId,
        state: Type.Optional(
          Type.String({
            maxLength: 1024,
            ...LINE_OF_TEXT,
            description: 'Value to return in the event.',
            examples: ['VGhpcyBpcyBhbiBleGFtcGxl'],
          }),
        ),
      },
      { examples: [{ ...example, state: 'VGhpcyBpcyBhbiBleGFtcGxl' }] },
    ),
    ok: { kind: 'empty', status: 204 },
    errors: [...REFUSALS, 'VALIDATION_FAILED', 'NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
  }),
);

/** The routes for receivers. */
export const RECEIVER_ROUTES = [
  ...CREATE_STREAM_ROUTES,
  ...READ_STREAM_ROUTES,
  ...UPDATE_STREAM_ROUTES,
  ...REPLACE_STREAM_ROUTES,
  ...DELETE_STREAM_ROUTES,
  ...READ_STATUS_ROUTES,
  ...UPDATE_STATUS_ROUTES,
  ...VERIFY_STREAM_ROUTES,
  ...POLL_ROUTES,
];

export const SIGNAL_ROUTES = [...TRANSMITTER_ROUTES, ...RECEIVER_ROUTES];
