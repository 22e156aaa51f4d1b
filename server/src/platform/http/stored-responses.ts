import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { randomId } from '../crypto/ids.ts';
import { namesTag } from './answer.ts';
import type { Finished } from './finished.ts';
import { type Peer, type UntrustedProxies, isBusy, noteEnd, noteStart, readPeer } from './peer.ts';
import type { Cacheable } from './replies.ts';

/** A response in memory that is still valid. */
interface StoredResponse {
  readonly tenantId: string;
  readonly answer: Cacheable<unknown>;
  /** The headers between those of every response and those of the body. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A route whose responses are usually in memory. */
export interface StoredRoute {
  readonly routeId: string;
  /** @returns undefined: the request has to be routed */
  find(headers: IncomingHttpHeaders, peer: Peer): StoredResponse | undefined;
}

interface RequestMeans {
  /** @returns why the request is rejected, if it is */
  readonly flawOf: (request: IncomingMessage) => unknown;
  readonly trustedProxies: BlockList;
  readonly untrustedProxies: UntrustedProxies | undefined;
  readonly onFinished: (finished: Finished) => void;
}

/**
 * Sends responses in memory before their requests are routed, as the routes would: most of the cost of such a response
 * is that of routing, hooks and promises (ADR 90). Any request that is not plain is routed.
 */
export class StoredResponses {
  readonly #means: RequestMeans;
  /** Whether all requests are routed. */
  isOff = false;
  /** Finds the route for a request target. */
  routeAt: (url: string) => StoredRoute | undefined = () => undefined;

  constructor(means: RequestMeans) {
    this.#means = means;
  }

  /** @returns whether the response was sent; otherwise the request has to be routed */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers, socket } = request;
    if (this.isOff || method !== 'GET') return false;
    const route = this.routeAt(url);
    if (!route || isBusy(socket) || this.#means.flawOf(request)) return false;
    const startedAt = performance.now();
    const peer = readPeer(request, this.#means.trustedProxies);
    const stored = route.find(headers, peer);
    if (!stored) return false;
    this.#means.untrustedProxies?.note(peer);
    const id = randomId();
    noteStart(request, response);
    response.on('finish', () => {
      noteEnd(socket);
      this.#means.onFinished({
        id,
        method: 'GET',
        url,
        peer,
        facts: { tenant: stored.tenantId },
        routeId: route.routeId,
        status: response.statusCode,
        ms: performance.now() - startedAt,
      });
    });
    sendStored(stored, id, headers['if-none-match'], response);
    return true;
  }
}

function sendStored(
  { answer, headers }: StoredResponse,
  id: string,
  ifNoneMatch: string | undefined,
  response: ServerResponse,
): void {
  const all = {
    'x-request-id': id,
    'cache-control': answer.cacheControl,
    'x-content-type-options': 'nosniff',
    ...headers,
    etag: answer.etag,
  };
  if (namesTag(ifNoneMatch, answer.etag)) return void response.writeHead(304, all).end();
  const body = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(answer.text)),
  };
  response.writeHead(200, { ...all, ...body }).end(answer.text);
}
