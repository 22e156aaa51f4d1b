// A node with many streams: readers that do not read, and the shutdown of the node.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { expectStatus } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import type { ServerProcess } from '../harness/process.ts';
import { bitOf } from '../harness/status.ts';
import { until } from '../harness/until.ts';
import { StatusProcesses } from './status-processes.ts';

const LONGEST_EXIT_MS = 15_000;
const STREAMS = 300;
const SLOW_READERS = 3;
/** The number of bits in a change: the maximum reported individually, in an event of about 40 KB. */
const BITS = 5000;
/** Of one list. */
const LIST_BITS = 131_072;
/** By then the operating system's buffers, some MB per connection, are also full. */
const MOST_CHANGES = 400;

let nodes: StatusProcesses;
let node: ServerProcess;

before(async () => {
  nodes = await StatusProcesses.create();
  node = await nodes.start();
});

after(() => nodes.close());

/** Opens the stream and reads nothing of it. */
async function readNothing(): Promise<Socket> {
  const { hostname, port, host } = new URL(node.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /status/stream HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  return socket;
}

/** Revokes many bits that belong to no token. */
function revokeMany(turn: number): Promise<unknown> {
  return nodes.database.query(
    'SELECT kw_revoke_bits($1, ARRAY(SELECT generate_series($2::bigint, $3::bigint)))',
    ['org_default', firstOf(turn), firstOf(turn + 1) - 1],
  );
}

function firstOf(turn: number): number {
  return 100 * LIST_BITS + turn * BITS;
}

describe('a node with streams', () => {
  test('A node with streams disconnects readers that do not read, keeps the others, and remains ready', async () => {
    const reader = await nodes.follow(node);
    const slow = await parallel(SLOW_READERS, readNothing);
    const isCut = () => nodes.streamLines(node).length === SLOW_READERS;
    let turn = 0;
    for (; turn < MOST_CHANGES && !isCut(); turn += 1) {
      await revokeMany(turn);
      const last = firstOf(turn + 1) - 1;
      await reader.revocationOf(last % LIST_BITS, Math.floor(last / LIST_BITS));
    }
    assert.ok(isCut(), `after ${turn} changes`);
    assert.equal(reader.isOver, false);
    assert.ok(reader.events.every(({ event }) => event === 'status'));
    expectStatus(200, await node.http.request('GET', '/health'));
    const token = await nodes.logIn(node);
    await nodes.logOut(node, token);
    await reader.revocationOf(bitOf(token));
    for (const socket of slow) socket.destroy();
  });

  test('A stopped node keeps its streams until load balancers notice, closes them all, and exits within 15 seconds', async () => {
    const streams = await parallel(STREAMS, () => nodes.follow(node));
    expectStatus(200, await node.http.request('GET', '/health'));
    const ended = node.sigterm(LONGEST_EXIT_MS);
    await until('load balancers are given notice', async () => {
      const { status } = await node.http.request('GET', '/health');
      return status === 503;
    });
    streams.push(await nodes.follow(node));
    assert.ok(!streams.some((stream) => stream.isOver), 'who comes back is to find another node');
    await until('all streams are over', () => streams.every((stream) => stream.isOver));
    assert.ok(streams.every(({ events }) => events.every(({ event }) => event === 'status')));
    assert.deepEqual(await ended, { code: 0, signal: null });
  });

  test('A node with streams logs one line for each, and no token', () => {
    const lines = nodes.streamLines(node);
    const counts = Map.groupBy(lines, ({ status }) => status);
    assert.deepEqual([...counts.keys()], [200]);
    assert.equal(lines.length, SLOW_READERS + 1 + STREAMS + 1);
    assert.doesNotMatch(node.stdout + node.stderr, /eyJ[\w-]+\.[\w-]+\./);
  });
});
