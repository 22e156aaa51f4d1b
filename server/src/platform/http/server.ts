import { randomId } from '../crypto/ids.ts';
import type { BlockList, Socket } from 'node:net';
import { AppError, errorBody } from '@keywright/contract/errors';
import { type FastifyInstance, type FastifyRequest, fastify, LogController } from 'fastify';
import type { Log } from '../log.ts';
import { sendFailure } from './failures.ts';
import { type Peer, readPeer } from './peer.ts';

export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;

/** What the log line of a request tells, filled in as it becomes known. */
export interface RequestFacts {
  tenant?: string;
  subject?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer;
    facts: RequestFacts;
  }
}

/** The HTTP server, with everything that doesn't depend on a route. */
export function createServer(log: Log, trustedProxies: BlockList): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: randomId,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => void sendFailure(request, reply, error),
  }) as unknown as FastifyInstance;
  acceptJsonOnly(server);
  server.decorateRequest('peer');
  server.decorateRequest('facts');
  server.addHook('onRequest', (request, reply, done) => {
    request.peer = readPeer(request.raw, trustedProxies);
    request.facts = {};
    reply.headers({
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  server.setErrorHandler((error, request, reply) => sendFailure(request, reply, error));
  server.setNotFoundHandler((request, reply) =>
    sendFailure(request, reply, new AppError('ROUTE_NOT_FOUND')),
  );
  return server;
}

/** The path is logged without its query: that may hold an e-mail address somebody searched for. */
function logRequest(request: FastifyRequest, status: number, milliseconds: number): void {
  request.log.info(
    {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status,
      ms: Math.round(milliseconds * 100) / 100,
      address: request.peer.address,
      ...request.facts,
    },
    'request',
  );
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

/** What is no HTTP at all never reaches a route. */
function refuseMalformed(error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy(error);
  const body = JSON.stringify(errorBody('REQUEST_MALFORMED'));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
