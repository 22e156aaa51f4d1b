import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { EXAMPLE_JWT } from '../records/tokens.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';

const StatusList = Type.String({
  description:
    'A Status List Token (draft-ietf-oauth-status-list §5.1), signed with a key of the tenant. `sub` is this URL, `ttl` is the number of seconds that you can cache the token, and `version` increases with each change in the tenant. `status_list.lst` has one bit for each of 131,072 grants, compressed with DEFLATE; 1 means revoked.',
  examples: [EXAMPLE_JWT],
});

const StatusEvents = Type.String({
  description:
    'Server-sent events. The data of each is a JWT with the `typ` `statusdelta+jwt`. `status`: `revoked` contains, by list, the bits that were set after version `from` up to `version`, which is also the ID of the event. Without `revoked`, nothing changed; such an event is sent every five seconds. `reset`: changes were missed, so fetch the lists again. `closed`: the tenant is inactive or deleted, so reject all of its tokens.',
  examples: [`id: 41\nevent: status\ndata: ${EXAMPLE_JWT}\n\n`],
});

const LIST = {
  method: 'GET',
  cors: 'any',
  description:
    'Shows which tokens on this list are revoked. The claim `status` of an access token refers to it.',
  ok: { kind: 'bytes', status: 200, body: StatusList, contentType: 'application/statuslist+jwt' },
  other: [NOT_MODIFIED],
} as const;

const STREAM = {
  method: 'GET',
  cors: 'any',
  description:
    'Streams each revocation as it happens. `Last-Event-ID` resumes after a version. A node limits the number of connections in total and per IP address. Over the limit, returns 503 with `Retry-After`.',
  ok: { kind: 'stream', status: 200, body: StatusEvents, contentType: 'text/event-stream' },
} as const;

const shard = Type.String({
  maxLength: 32,
  description: 'Number of the list, starting at 0.',
  examples: ['0'],
});

export const getStatusList = route({
  id: 'status.get',
  path: '/status/:shard',
  access: 'tenant',
  summary: 'Get a status list of the tenant',
  params: Type.Object({ shard }),
  errors: ['NOT_FOUND'],
  ...LIST,
});

export const streamStatus = route({
  id: 'status.stream',
  path: '/status/stream',
  access: 'tenant',
  summary: 'Stream changes of the tenant’s status lists',
  errors: ['UNAVAILABLE'],
  ...STREAM,
});

export const getIssuerStatusList = atIssuer(getStatusList, {
  id: 'status.get_by_issuer',
  path: `${ISSUER_PATH}${getStatusList.path}`,
  summary: 'Get a status list, at the issuer URL',
});

export const streamIssuerStatus = atIssuer(streamStatus, {
  id: 'status.stream_by_issuer',
  path: `${ISSUER_PATH}${streamStatus.path}`,
  summary: 'Stream changes of the status lists, at the issuer URL',
});

export const STATUS_ROUTES = [getStatusList, streamStatus, getIssuerStatusList, streamIssuerStatus];
