import Type from 'typebox';
import { OAuthClientIdSchema, pathId, SignalStreamIdSchema } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { ClientStreamRecord } from '../records/client-stream.ts';
import { StreamStatus } from '../records/signal-stream.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/clients/:client_id/signal-streams` as const;
const { status, reason } = StreamStatus.properties;
const streamPath = Type.Object({
  client_id: pathId(OAuthClientIdSchema),
  stream_id: pathId(SignalStreamIdSchema),
});

export const listClientStreams = route({
  id: 'clients.list_streams',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:clients', administrator: true },
  summary: 'List the streams of shared signals of an OAuth client',
  description: 'Newest first. The value of the `Authorization` header is not shown.',
  params: Type.Object({ client_id: pathId(OAuthClientIdSchema) }),
  query: closed({ ...listQuery, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(ClientStreamRecord) },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});

export const getClientStream = route({
  id: 'clients.get_stream',
  method: 'GET',
  path: `${BASE}/:stream_id`,
  access: { scope: 'read:clients', administrator: true },
  summary: 'Get a stream of shared signals of an OAuth client',
  description: 'Returns the stream, without the value of its `Authorization` header.',
  params: streamPath,
  ok: { status: 200, body: ClientStreamRecord },
  errors: ['NOT_FOUND'],
});

export const updateClientStream = route({
  id: 'clients.update_stream',
  method: 'PATCH',
  path: `${BASE}/:stream_id`,
  access: { scope: 'write:clients', administrator: true },
  summary: 'Pause, disable or enable a stream of shared signals',
  description:
    'Changes the status of the stream. If events are pushed, the receiver gets a `stream-updated` event. The receiver can change the status again; to prevent the client from having streams, use its `shared_signals`.',
  params: streamPath,
  body: closed({ status, reason }, { $id: 'ClientStreamPatch', description: 'The new status.' }),
  ok: { status: 200, body: ClientStreamRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const deleteClientStream = route({
  id: 'clients.delete_stream',
  method: 'DELETE',
  path: `${BASE}/:stream_id`,
  access: { scope: 'delete:clients', administrator: true },
  summary: 'Delete a stream of shared signals',
  description: 'Deletes the stream and its undelivered events.',
  params: streamPath,
  ok: { status: 200, body: deleted(SignalStreamIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const CLIENT_STREAM_ROUTES = [
  listClientStreams,
  getClientStream,
  updateClientStream,
  deleteClientStream,
] as const;
