import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { until } from '@keywright/tests/harness/until';
import type { FastifyInstance } from 'fastify';
import { listOf, parseRange } from '../cidr.ts';
import { openLog } from '../log.ts';
import { createServer } from './server.ts';

const MAX_CONNECTIONS = 20;
const MAX_UNFINISHED_BYTES = 64 * 1024;
const PIECE = 8 * 1024;
const MALLORY = '198.51.100.1';
const ADA = '198.51.100.2';

let server: FastifyInstance;
let port: number;
/** Functions that release the requests on hold. */
let releases: (() => void)[] = [];
let pending = 0;
const open = new Set<Client>();

before(async () => {
  server = await startServer();
  port = portOf(server);
});

async function startServer(): Promise<FastifyInstance> {
  const loopback = parseRange('127.0.0.1');
  assert.ok(loopback);
  const started = createServer({
    log: openLog('silent'),
    trustedProxies: listOf([loopback]),
    maxConnections: MAX_CONNECTIONS,
    docsUrl: () => 'http://localhost/docs',
    maxUnfinishedBytes: MAX_UNFINISHED_BYTES,
  });
  started.post('/echo', (request) => ({ received: request.body }));
  started.get('/held', () => {
    pending += 1;
    return new Promise((resolve) => releases.push(() => resolve({})));
  });
  await started.listen({ host: '127.0.0.1', port: 0 });
  return started;
}

function portOf(started: FastifyInstance): number {
  return (started.server.address() as AddressInfo).port;
}

after(async () => {
  for (const client of open) client.socket.destroy();
  await server.close();
});

/** A connection and the data received on it. */
class Client {
  readonly socket: Socket;
  received = '';
  isClosed = false;

  constructor(localAddress = '127.0.0.1', at = port) {
    this.socket = connect({ host: '127.0.0.1', port: at, localAddress });
    this.socket.on('data', (chunk) => (this.received += chunk.toString()));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
    open.add(this);
  }

  /** Sends the beginning of a body, or all of it. */
  post(bytes: number, sent: number, from = ADA): void {
    const body = `"${'x'.repeat(bytes - 2)}"`;
    this.socket.write(
      `POST /echo HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\n` +
        `content-length: ${bytes}\r\n\r\n${body.slice(0, sent)}`,
    );
  }

  async answer(status: number): Promise<void> {
    await until(`an answer ${status}`, () => this.received.includes(`HTTP/1.1 ${status} `));
  }

  async closed(): Promise<void> {
    await until('the connection is closed', () => this.isClosed);
  }
}

async function endAll(): Promise<void> {
  for (const client of open) client.socket.destroy();
  open.clear();
  await until('all connections are gone', async () => (await connections()) === 0);
}

function releaseAll(): void {
  for (const release of releases) release();
  releases = [];
}

function connections(): Promise<number> {
  return new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
}

describe('incomplete bodies', () => {
  test('Incomplete bodies are limited in total: the largest sender loses theirs, and others are served', async () => {
    const ada = new Client();
    ada.post(PIECE, PIECE - 1, ADA);
    await until('the first body is on its way', () => server.unfinishedBodies.bytes > 0);
    const flood = Array.from({ length: 8 }, () => new Client());
    for (const client of flood) client.post(2 * PIECE, PIECE, MALLORY);
    await Promise.all(flood.slice(0, 7).map((client) => client.answer(429)));
    assert.match(flood[0]?.received ?? '', /"code":"TOO_MANY_INCOMPLETE_REQUESTS"/);
    assert.match(flood[0]?.received ?? '', /retry-after: 1\r\n/i);
    ada.socket.write('"');
    await ada.answer(200);
    assert.ok(server.unfinishedBodies.bytes <= MAX_UNFINISHED_BYTES);
    await endAll();
  });

  test('Incomplete request bodies free their memory when their connections close', async () => {
    const clients = Array.from({ length: 4 }, () => new Client());
    for (const client of clients) client.post(2 * PIECE, PIECE);
    await until('all are on their way', () => server.unfinishedBodies.bytes === 4 * PIECE);
    await endAll();
    await until('they hold nothing', () => server.unfinishedBodies.bytes === 0);
  });

  test('A request body can arrive byte by byte', async () => {
    const ada = new Client();
    ada.socket.setNoDelay(true);
    ada.post(1000, 1);
    for (let sent = 1; sent < 999; sent += 1) {
      ada.socket.write('x');
      await setImmediate();
    }
    ada.socket.write('"');
    await ada.answer(200);
    assert.equal(server.unfinishedBodies.bytes, 0);
    await endAll();
  });

  test('A request body that is declared too large is rejected in advance', async () => {
    const ada = new Client();
    ada.post(16 * 1024 + 1, 0);
    await ada.answer(413);
    await endAll();
  });

  test('A request body whose size was not declared is rejected as soon as it is too large', async () => {
    const ada = new Client();
    const head = 'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
    ada.socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    for (let sent = 0; sent <= 16 * 1024; sent += PIECE) {
      ada.socket.write(`${PIECE.toString(16)}\r\n${'x'.repeat(PIECE)}\r\n`);
    }
    await ada.answer(413);
    await endAll();
  });
});

describe('connections', () => {
  test('Connections are limited in number, and one address cannot use them all', async () => {
    const flood = Array.from({ length: MAX_CONNECTIONS }, () => new Client('127.0.0.3'));
    await until('all are taken', async () => (await connections()) === MAX_CONNECTIONS);
    const more = new Client('127.0.0.3');
    await more.closed();
    const ada = new Client('127.0.0.2');
    ada.post(PIECE, PIECE);
    await ada.answer(200);
    await until('room was made', () => flood.some((client) => client.isClosed));
    assert.equal(flood.filter((client) => client.isClosed).length, 1);
    assert.ok(!ada.isClosed);
    await endAll();
  });

  test('Connections that are idle are closed before those with a request', async () => {
    const busy = new Client('127.0.0.3');
    busy.socket.write('GET /held HTTP/1.1\r\nhost: a\r\n\r\n');
    await until('it is being answered', () => releases.length > 0);
    const idle = Array.from({ length: MAX_CONNECTIONS - 1 }, () => new Client('127.0.0.3'));
    await until('all are taken', async () => (await connections()) === MAX_CONNECTIONS);
    const ada = new Client('127.0.0.2');
    await until('room was made', () => idle.some((client) => client.isClosed));
    assert.ok(!busy.isClosed && !ada.isClosed);
    releaseAll();
    await busy.answer(200);
    await endAll();
  });
});

describe('requests that are sent before the last one is answered', () => {
  const SLOW_REQUEST = 'GET /held HTTP/1.1\r\nhost: a\r\n\r\n';
  const MOST = 8;

  test('A few pipelined requests are answered in order, even after others that were malformed', async () => {
    const ada = new Client();
    for (let sent = 1; sent <= 2 * MOST; sent += 1) {
      ada.socket.write('GET /% HTTP/1.1\r\nhost: a\r\n\r\n');
      await until('it is refused', () => ada.received.split('HTTP/1.1 400 ').length > sent);
    }
    ada.received = '';
    pending = 0;
    ada.socket.write(SLOW_REQUEST.repeat(MOST));
    await until('all are being answered', () => pending === MOST);
    releaseAll();
    await until('all are answered', () => ada.received.split('HTTP/1.1 200 ').length > MOST);
    await endAll();
  });

  test('A client that sends too many pipelined requests loses its connection, and the excess is not processed', async () => {
    const ada = new Client();
    pending = 0;
    ada.socket.write(SLOW_REQUEST.repeat(1000));
    await ada.closed();
    assert.equal(pending, MOST);
    releaseAll();
    await endAll();
  });
});

describe('a server that closes its connections after their requests', () => {
  const REQUEST = 'GET /held HTTP/1.1\r\nhost: a\r\n\r\n';

  test('Connections close after the requests in progress, and idle ones after their next request', async (t) => {
    const closing = await startServer();
    t.after(() => closing.close());
    pending = 0;
    const [busy, pipelining, idle] = [1, 2, 3].map(() => new Client('127.0.0.1', portOf(closing)));
    assert.ok(busy && pipelining && idle);
    busy.socket.write(REQUEST);
    pipelining.socket.write(REQUEST.repeat(2));
    idle.post(10, 10);
    await idle.answer(200);
    await until('the others are being answered', () => pending === 3);
    closing.closeAfterRequests();
    releaseAll();
    await Promise.all([busy.closed(), pipelining.closed()]);
    assert.ok(!idle.isClosed);
    idle.post(10, 10);
    await idle.closed();
    assert.deepEqual(
      [busy, pipelining, idle].map(({ received }) => [
        received.split('HTTP/1.1 200 ').length - 1,
        received.split(/^connection: close\r$/im).length - 1,
      ]),
      [
        [1, 1],
        [2, 1],
        [2, 1],
      ],
    );
  });
});

describe('timeouts', () => {
  test('The request timeouts are checked every second: 10 s for headers, 30 s for the whole request', () => {
    const { headersTimeout, requestTimeout } = server.server;
    // Node.js stores the interval here without a type for it.
    const { connectionsCheckingInterval: everyMs } = server.server as {
      connectionsCheckingInterval?: number;
    };
    assert.deepEqual(
      { headersTimeout, requestTimeout, everyMs },
      { headersTimeout: 10_000, requestTimeout: 30_000, everyMs: 1000 },
    );
  });

  test('A half-sent request times out with 400, and its connection ends even if the client keeps its side open', async () => {
    const { headersTimeout } = server.server;
    server.server.headersTimeout = 1;
    const ada = new Client();
    ada.socket.allowHalfOpen = true;
    ada.socket.write('POST /echo HTTP/1.1\r\nhost: a\r\n');
    await ada.answer(400);
    assert.match(ada.received, /request timed out/);
    assert.match(ada.received, /\r\nx-request-id: [\w-]+\r\ncache-control: no-store\r\n/);
    await until('the service let go of it', async () => (await connections()) === 0);
    server.server.headersTimeout = headersTimeout;
    await endAll();
  });
});

describe('a request is unambiguous', () => {
  const raw = async (text: string) => {
    const client = new Client();
    client.socket.write(text);
    await until('an answer', () => client.received.includes('\r\n\r\n'));
    client.socket.destroy();
    return client.received;
  };

  test('Two Authorization headers in one request are rejected', async () => {
    const answer = await raw(
      'POST /echo HTTP/1.1\r\nhost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 400 .*"code":"REQUEST_MALFORMED"/s);
  });

  test('Two Authorization headers with the same value are rejected too', async () => {
    const answer = await raw(
      'POST /echo HTTP/1.1\r\nhost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer a\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 400 /);
  });
});
