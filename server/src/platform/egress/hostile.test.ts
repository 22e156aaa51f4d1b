import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { countConnections, type Receiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress, type Egress, type EgressRequest } from './egress.ts';
import type { EgressOutcome } from './outcome.ts';

const MIB = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';

describe('a receiver that', () => {
  let egress: Egress;
  before(() => {
    egress = new LoadedEgress({ allow: parseEgressAllow('127.0.0.1').allow });
  });
  after(() => egress.close());

  interface Seen {
    readonly got: EgressOutcome;
    /** Bytes that the receiver was able to send. */
    readonly sentBytes: number;
  }

  /** Calls a receiver that does this once it has the request; expects the connection to be closed after it. */
  async function callServer(
    behave: (socket: Socket) => void,
    request: Partial<EgressRequest> = {},
  ): Promise<Seen> {
    let sentBytes = 0;
    const receiver: Receiver = await countConnections(
      createServer((socket) => {
        socket.once('data', () => behave(socket));
        socket.once('close', () => {
          sentBytes = socket.bytesWritten;
        });
      }),
    );
    const got = await egress.send({
      method: 'POST',
      url: `http://127.0.0.1:${receiver.port}/hook?token=in-the-url`,
      headers: { authorization: 'Bearer in-the-headers' },
      body: 'in-the-body',
      timeoutMs: 5000,
      maxBytes: 1024,
      ...request,
    });
    try {
      await until('the connection is given up', () => receiver.open === 0);
    } finally {
      await receiver.close();
    }
    assert.doesNotMatch(JSON.stringify({ ...got, body: '' }), /in-the-|elsewhere/);
    return { got, sentBytes };
  }

  function reasonOf({ got }: Seen) {
    return got.outcome === 'answered' ? `answered ${got.status}` : got.reason;
  }

  /** Writes the same chunk repeatedly, as fast as it is read. */
  function forever(socket: Socket, chunk: string | Buffer): void {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', () => forever(socket, chunk));
  }

  for (const status of [301, 302, 303, 307, 308]) {
    test(`A receiver that redirects with ${status} is not followed`, async () => {
      const seen = await callServer((socket) =>
        socket.end(
          `HTTP/1.1 ${status} Go\r\nlocation: http://127.0.0.1:1/elsewhere\r\ncontent-length: 0\r\n\r\n`,
        ),
      );
      assert.equal(reasonOf(seen), 'redirected');
      assert.equal(seen.got.status, status);
    });
  }

  test('A response with the status 304 is passed through as such', async () => {
    const seen = await callServer((socket) => socket.end('HTTP/1.1 304 Not Modified\r\n\r\n'));
    assert.equal(reasonOf(seen), 'answered 304');
  });

  test('A receiver that never responds is aborted in time', async () => {
    const seen = await callServer(() => undefined, { timeoutMs: 100 });
    assert.equal(reasonOf(seen), 'timed_out');
  });

  const drips: readonly (readonly [what: string, head: string, status: number | undefined])[] = [
    ['its body', `${OK}content-length: 1000\r\n\r\n`, 200],
    ['its head', 'HTTP/1.1 200 OK\r\nx-', undefined],
  ];
  for (const [what, head, status] of drips) {
    test(`A receiver that sends ${what} slowly is aborted in time`, async () => {
      const seen = await callServer(
        (socket) => {
          socket.write(head);
          const drip = setInterval(() => socket.write('a'), 10);
          socket.once('close', () => clearInterval(drip));
        },
        { timeoutMs: 200 },
      );
      assert.equal(reasonOf(seen), 'timed_out');
      assert.equal(seen.got.status, status);
    });
  }

  for (const truncate of [false, true]) {
    const outcome = truncate ? 'answered 200' : 'answer_too_large';
    const how = truncate ? 'is cut off' : 'is refused';

    test(`A response of 100 MB ${how}`, async () => {
      const seen = await callServer(
        (socket) => {
          socket.write(`${OK}content-length: ${100 * MIB}\r\n\r\n`);
          forever(socket, Buffer.alloc(64 * 1024, 'a'));
        },
        { truncate },
      );
      assert.equal(reasonOf(seen), outcome);
      assert.ok(seen.sentBytes < 16 * MIB, `${seen.sentBytes}`);
      if (seen.got.outcome === 'answered') {
        assert.deepEqual([seen.got.body.length, seen.got.isTruncated], [1024, true]);
      }
    });

    test(`A response of endless chunks ${how}`, async () => {
      const seen = await callServer(
        (socket) => {
          socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
          forever(socket, '1\r\na\r\n'.repeat(1000));
        },
        { truncate },
      );
      assert.equal(reasonOf(seen), outcome);
    });
  }

  test('A response that declares too large a length is rejected before any of its body is sent', async () => {
    const seen = await callServer((socket) => socket.write(`${OK}content-length: 1025\r\n\r\n`));
    assert.equal(reasonOf(seen), 'answer_too_large');
  });

  test('A receiver that continues after it was cut off loses its connection', async () => {
    const seen = await callServer(
      (socket) => socket.write(`${OK}content-length: ${MIB}\r\n\r\n${'a'.repeat(80_000)}`),
      { truncate: true, timeoutMs: 600_000 },
    );
    assert.equal(reasonOf(seen), 'answered 200');
  });

  test('A gzip bomb that a receiver sends is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * MIB));
    const seen = await callServer(
      (socket) => {
        socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.end(bomb);
      },
      { maxBytes: MIB },
    );
    assert.ok(seen.got.outcome === 'answered');
    assert.deepEqual(seen.got.body, bomb);
  });

  const endless: readonly (readonly [what: string, head: string, over: string])[] = [
    ['headers', OK, `x-${'a'.repeat(100)}: b\r\n`],
    ['one header', `${OK}x-a: `, 'a'.repeat(1000)],
    ['trailers', `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, `x-${'a'.repeat(100)}: b\r\n`],
    ['a reason phrase', 'HTTP/1.1 200 ', 'a'.repeat(1000)],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['a chunk extension', `${OK}transfer-encoding: chunked\r\n\r\n1;`, 'a=b;'.repeat(250)],
  ];
  for (const [what, head, over] of endless) {
    test(`A receiver that sends ${what} without end is aborted`, async () => {
      const seen = await callServer(
        (socket) => {
          socket.write(head);
          forever(socket, over.repeat(50));
        },
        { timeoutMs: 20_000 },
      );
      assert.equal(reasonOf(seen), 'answer_too_large');
      assert.ok(seen.sentBytes < 32 * MIB, `${seen.sentBytes}`);
    });
  }

  const broken: readonly (readonly [what: string, answer: string, reason: string])[] = [
    ['closes without a word', '', 'connection_lost'],
    ['closes within the head', 'HTTP/1.1 200 OK\r\nx-a', 'connection_lost'],
    ['closes within the body', `${OK}content-length: 10\r\n\r\nabc`, 'connection_lost'],
    ['closes within a chunk', `${OK}transfer-encoding: chunked\r\n\r\na\r\nabc`, 'connection_lost'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.9\r\n', 'answer_malformed'],
    [
      'switches protocols',
      'HTTP/1.1 101 S\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n',
      'connection_lost',
    ],
    ['continues after its answer', `${OK}content-length: 1\r\n\r\nabc`, 'answered 200'],
    ['ends its body with the connection', `${OK}\r\nabc`, 'answered 200'],
  ];
  for (const [what, answer, reason] of broken) {
    test(what, async () => {
      assert.equal(reasonOf(await callServer((socket) => socket.end(answer))), reason);
    });
  }

  test('A receiver that resets the connection is reported as connection_lost', async () => {
    assert.equal(
      reasonOf(await callServer((socket) => socket.resetAndDestroy())),
      'connection_lost',
    );
  });
});
