import { randomId } from '../crypto/ids.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { AppError, errorBody } from '@keywright/contract/errors';
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { Log } from '../log.ts';
import { sendFailure } from './failures.ts';
import { type Peer, readPeer } from './peer.ts';
import { compileLate } from './serializer.ts';

export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const HOST = 'host';

/** What the log line of a request tells, filled in as it becomes known. */
export interface RequestFacts {
  tenant?: string;
  subject?: string;
  /** Of the error that was answered. */
  code?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer;
    facts: RequestFacts;
  }
  interface FastifyContextConfig {
    /** Of the contract. */
    routeId?: string;
  }
}

/** The HTTP server, with everything that doesn't depend on a route. */
export function createServer(log: Log, trustedProxies: BlockList): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    schemaController: compileLate,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than naming the request in the one or two lines that it writes.
    childLoggerFactory: (logger) => logger,
    genReqId: randomId,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: refuseMalformed,
    // A request without a host is refused below, with the body that every error has.
    http: { requireHostHeader: false },
    // A path that can't be read never gets to the hooks.
    frameworkErrors: (error, request, reply) => {
      receive(request, reply, trustedProxies);
      reply.raw.once('finish', () => logRequest(log, request, reply));
      void sendFailure(request, reply, error);
    },
  }) as unknown as FastifyInstance;
  server.server.on('checkExpectation', refuseExpectation);
  acceptJsonOnly(server);
  server.decorateRequest('peer');
  server.decorateRequest('facts');
  server.addHook('onRequest', (request, reply, done) => {
    receive(request, reply, trustedProxies);
    done(hasOneHost(request) ? undefined : new AppError('REQUEST_MALFORMED'));
  });
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(log, request, reply);
    done();
  });
  server.setErrorHandler((error, request, reply) => sendFailure(request, reply, error));
  server.setNotFoundHandler((request, reply) =>
    sendFailure(request, reply, new AppError('ROUTE_NOT_FOUND')),
  );
  return server;
}

function receive(request: FastifyRequest, reply: FastifyReply, trustedProxies: BlockList): void {
  request.peer = readPeer(request.raw, trustedProxies);
  request.facts = {};
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
}

/** RFC 9112 §3.2: a request with no host, or with two, is refused. */
function hasOneHost({ raw }: FastifyRequest): boolean {
  let hosts = 0;
  for (let index = 0; index < raw.rawHeaders.length; index += 2) {
    const name = raw.rawHeaders[index] as string;
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
}

/** The path is logged without its query: that may hold an e-mail address somebody searched for. */
function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, url, peer, facts } = request;
  const queryAt = url.indexOf('?');
  log.request({
    reqId: id,
    method,
    path: queryAt < 0 ? url : url.slice(0, queryAt),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    address: peer.address,
    tenant: facts.tenant,
    subject: facts.subject,
    code: facts.code,
  });
}

/** An empty body is none, even when its type is said to be JSON. */
function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null);
    return parse(request, body as string, (error, value) =>
      done(error === null ? null : new AppError('JSON_INVALID'), value),
    );
  });
}

const MALFORMED_BODY = JSON.stringify(errorBody('REQUEST_MALFORMED'));

/** An expectation that nobody can meet: not 417, which is none of the documented statuses. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(400, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(MALFORMED_BODY),
      connection: 'close',
    })
    .end(MALFORMED_BODY);
}

/** What is no HTTP at all never reaches a route. */
function refuseMalformed(error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy(error);
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(MALFORMED_BODY)}\r\nconnection: close\r\n\r\n${MALFORMED_BODY}`,
  );
}
