import Type from 'typebox';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { EXAMPLE_JWT } from '../records/tokens.ts';
import { route } from '../route.ts';
import { NOT_MODIFIED } from './fields.ts';

const StatusList = Type.String({
  description:
    'A Status List Token (draft-ietf-oauth-status-list §5.1), signed with a key of the tenant. `sub` is this address, `ttl` the number of seconds that it may be cached, `version` increases with each change in the tenant. `status_list.lst` has one bit for each of 131,072 grants, compressed with DEFLATE; 1 is revoked.',
  examples: [EXAMPLE_JWT],
});

const StatusEvents = Type.String({
  description:
    'Server-sent events. The data of each is a JWT of `typ` `statusdelta+jwt`. `status`: `revoked` holds, by list, the bits that were set after version `from` up to `version`, which is also the id of the event; without `revoked` nothing changed, and one of these is sent every five seconds. `reset`: changes were missed, fetch the lists again. `closed`: the tenant is inactive or deleted, reject all of its tokens.',
  examples: [`id: 41\nevent: status\ndata: ${EXAMPLE_JWT}\n\n`],
});

const LIST = {
  method: 'GET',
  cors: 'any',
  description:
    'Which of the tokens on this list are revoked. The claim `status` of an access token refers to it.',
  ok: { kind: 'bytes', status: 200, body: StatusList, contentType: 'application/statuslist+jwt' },
  other: [NOT_MODIFIED],
} as const;

const STREAM = {
  method: 'GET',
  cors: 'any',
  description:
    'Streams each revocation as it happens. `Last-Event-ID` resumes after a version. The number of connections to a node is limited, in total and per address: beyond that 503 with `Retry-After`.',
  ok: { kind: 'stream', status: 200, body: StatusEvents, contentType: 'text/event-stream' },
} as const;

const shard = Type.String({
  maxLength: 32,
  description: 'Number of the list, from 0.',
  examples: ['0'],
});

export const getStatusList = route({
  id: 'status.get',
  path: '/status/:shard',
  access: 'tenant',
  summary: 'A status list of the tenant that the request names',
  params: Type.Object({ shard }),
  errors: ['NOT_FOUND'],
  ...LIST,
});

export const streamStatus = route({
  id: 'status.stream',
  path: '/status/stream',
  access: 'tenant',
  summary: 'Changes of the status lists of the tenant that the request names',
  errors: ['UNAVAILABLE'],
  ...STREAM,
});

export const getIssuerStatusList = atIssuer(getStatusList, {
  id: 'status.get_by_issuer',
  path: `${ISSUER_PATH}${getStatusList.path}`,
  summary: 'A status list at the address of the issuer',
});

export const streamIssuerStatus = atIssuer(streamStatus, {
  id: 'status.stream_by_issuer',
  path: `${ISSUER_PATH}${streamStatus.path}`,
  summary: 'Changes of the status lists at the address of the issuer',
});

export const STATUS_ROUTES = [getStatusList, streamStatus, getIssuerStatusList, streamIssuerStatus];
