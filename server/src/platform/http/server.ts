import { randomId } from '../crypto/ids.ts';
import {
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer as createHttpServer,
} from 'node:http';
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
import { limitConnections } from './connections.ts';
import { rewriteConsoleRequest } from './console-requests.ts';
import { acceptJson } from './content.ts';
import { type Finished, type RequestFacts, finishedOf, logRequest } from './finished.ts';
import {
  type Peer,
  type UntrustedProxies,
  closeAfterRequests,
  isBusy,
  noteEnd,
  noteStart,
  readPeer,
} from './peer.ts';
import { compileLate } from './serializer.ts';
import { StoredResponses } from './stored-responses.ts';

export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/** Interval of the check for requests that exceed their timeout. */
const TIMEOUT_CHECK_MS = 1000;
export const KEEP_ALIVE_MS = 65_000;
/** Total size of incomplete bodies in a process. */
export const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;
/** Maximum number of requests on a connection while the first is still unanswered (RFC 9112 §9.3.2). */
export const MAX_PIPELINED = 8;
/** After a response to invalid HTTP, a connection that is still open is destroyed after this time. */
const LINGER_MS = 1000;

declare module 'fastify' {
  interface FastifyRequest {
    peer: Peer;
    facts: RequestFacts;
  }
  interface FastifyInstance {
    /** Makes each connection close after the requests in progress or after its next one, as a node that stops does. */
    closeAfterRequests: () => void;
    storedResponses: StoredResponses;
    /** Calls the listener after each response. */
    onFinished: (listener: (finished: Finished) => void) => void;
  }
  interface FastifyContextConfig {
    /** Of the contract. */
    routeId?: string;
  }
}

const HTTP_OPTIONS = {
  // A request without a host is rejected by `flawOf`, with the usual error body.
  requireHostHeader: false,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
};

interface ServerOptions {
  readonly log: Log;
  readonly trustedProxies: BlockList;
  /** Default: these requests are not recorded. */
  readonly untrustedProxies?: UntrustedProxies;
  readonly maxConnections: number;
  /** URL of the documentation, without a trailing slash. */
  readonly docsUrl: () => string;
  /** Default 64 MiB. */
  readonly maxUnfinishedBytes?: number;
}

/** Creates the HTTP server, with everything that does not depend on a route. */
export function createServer({
  log,
  trustedProxies,
  untrustedProxies,
  maxConnections,
  docsUrl,
  maxUnfinishedBytes = MAX_UNFINISHED_BYTES,
}: ServerOptions): FastifyInstance {
  const listeners = [(finished: Finished) => logRequest(log, finished)];
  const onFinished = (finished: Finished) => listeners.forEach((listener) => listener(finished));
  const proxies = { trustedProxies, untrustedProxies };
  const storedResponses = new StoredResponses({ ...proxies, flawOf, onFinished });
  const server = fastify<Server, IncomingMessage, ServerResponse>({
    loggerInstance: log,
    schemaController: compileLate,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request costs more than adding the request to its one or two log lines.
    childLoggerFactory: (logger) => logger,
    genReqId: randomId,
    rewriteUrl: rewriteConsoleRequest,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: (error, socket) => refuseMalformed({ log, docsUrl }, error, socket),
    serverFactory: (route) =>
      createHttpServer(HTTP_OPTIONS, (request, response) => {
        if (!storedResponses.send(request, response)) route(request, response);
      }),
    // A path that cannot be parsed never reaches the hooks.
    frameworkErrors: (error, request, reply) => {
      receive(request, reply, trustedProxies);
      reply.raw.once('finish', () => {
        noteEnd(request.raw.socket);
        logRequest(log, finishedOf(request, reply));
      });
      void sendFailure(request, reply, error);
    },
  });
  server.server.on('checkExpectation', (request, response) =>
    refuseExpectation({ log, docsUrl }, request, response),
  );
  const connections = limitConnections(server.server, maxConnections, isBusy);
  server.decorate('closeAfterRequests', () => closeConnections(server.server, connections()));
  acceptJson(server, maxUnfinishedBytes);
  server.decorate('docsUrl', docsUrl);
  server.decorate('storedResponses', storedResponses);
  server.decorate('onFinished', (listener) => void listeners.push(listener));
  addHooks(server, onFinished, trustedProxies, untrustedProxies);
  return server;
}

function closeConnections(server: Server, connections: Iterable<Socket>): void {
  // A listener rather than a hook, which would cost every request before.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  for (const socket of connections) closeAfterRequests(socket);
}

function addHooks(
  server: FastifyInstance,
  onFinished: (finished: Finished) => void,
  trustedProxies: BlockList,
  untrustedProxies: UntrustedProxies | undefined,
): void {
  server.decorateRequest('peer');
  server.decorateRequest('facts');
  server.addHook('onRequest', (request, reply, done) => {
    const inProgress = receive(request, reply, trustedProxies);
    untrustedProxies?.note(request.peer);
    done(inProgress > MAX_PIPELINED ? refuseMore(request) : flawOf(request.raw));
  });
  server.addHook('onResponse', (request, reply, done) => {
    noteEnd(request.raw.socket);
    onFinished(finishedOf(request, reply));
    done();
  });
  server.setErrorHandler((error, request, reply) => sendFailure(request, reply, error));
}

/** @returns how many requests are in progress on the connection */
function receive(request: FastifyRequest, reply: FastifyReply, trustedProxies: BlockList): number {
  request.peer = readPeer(request.raw, trustedProxies);
  request.facts = {};
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  return noteStart(request.raw, reply.raw);
}

/**
 * Closes a connection with too many pipelined requests. Node.js keeps reading until the client leaves responses
 * unread; until then, a client can cause as much work on one connection as it can send. No response can precede those
 * of the earlier requests, so the only possible refusal is to close the connection.
 */
function refuseMore({ raw }: FastifyRequest): AppError {
  raw.socket.destroy();
  return new AppError('TOO_MANY_INCOMPLETE_REQUESTS', { retryAfterSeconds: 1 });
}

/**
 * RFC 9112 §3.2: rejects a request without a host, or with two. With two credentials, an intermediary may have used a
 * different one than we would (RFC 9110 §5.3).
 */
function flawOf({ rawHeaders, httpVersion }: IncomingMessage): AppError | undefined {
  const hosts = count(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) {
    return new AppError('REQUEST_MALFORMED', {
      detail: 'The request must have exactly one Host header.',
    });
  }
  if (count(rawHeaders, 'authorization') > 1) {
    return new AppError('REQUEST_MALFORMED', {
      detail: 'The request has more than one Authorization header.',
    });
  }
  return undefined;
}

function count(rawHeaders: readonly string[], header: string): number {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === header.length && name.toLowerCase() === header) found += 1;
  }
  return found;
}

/** Refuses an expectation that cannot be met with 400, because 417 is not a documented status. */
function refuseExpectation(
  { log, docsUrl }: Pick<ServerOptions, 'log' | 'docsUrl'>,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const body = JSON.stringify(errorBody('REQUEST_MALFORMED', docsUrl()));
  response.writeHead(400, malformedHeaders(body, noteMalformed(log, socket))).end(body);
}

/** Returns the headers of an error response that no route or hook writes. */
function malformedHeaders(body: string, requestId: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
}

/** @returns the ID of the request, as in its log line */
function noteMalformed(log: Log, socket: Socket): string {
  const reqId = randomId();
  const code = 'REQUEST_MALFORMED';
  log.info({ reqId, status: 400, address: socket.remoteAddress, code }, 'malformed request');
  return reqId;
}

/** Details for some errors of Node.js's HTTP parser; other errors have none. */
const MALFORMED_DETAILS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request timed out.',
  HPE_HEADER_OVERFLOW: 'The headers of the request are larger than 16 KiB.',
};

/** Rejects invalid HTTP and requests that time out, which never reach a route. */
function refuseMalformed(
  { log, docsUrl }: Pick<ServerOptions, 'log' | 'docsUrl'>,
  error: Error & { readonly code?: string },
  socket: Socket,
): void {
  if (!socket.writable) return void socket.destroy(error);
  const detail = MALFORMED_DETAILS[error.code ?? ''];
  const options = detail === undefined ? {} : { detail };
  const body = JSON.stringify(errorBody('REQUEST_MALFORMED', docsUrl(), options));
  const headers = Object.entries(malformedHeaders(body, noteMalformed(log, socket)));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines}\r\n${body}`);
  // A peer can keep its half open indefinitely, and buffered data would remain as long.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
