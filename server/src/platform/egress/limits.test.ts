import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { parseEgressAllow } from './allow.ts';
import { createEgress, type Egress } from './egress.ts';
import type { EgressLimits } from './lanes.ts';
import type { EgressOutcome } from './outcome.ts';

function start(limits: Partial<EgressLimits> = {}): Egress {
  return createEgress({ allow: parseEgressAllow('127.0.0.1').allow, limits });
}

/** A receiver that answers when it is told to. */
async function startPatient() {
  const waiting: ServerResponse[] = [];
  const receiver = await startReceiver((_request, response) => waiting.push(response));
  const answerAll = () => {
    for (const response of waiting.splice(0)) response.end('late');
  };
  return { receiver, waiting, answerAll };
}

function call(egress: Egress, port: number, timeoutMs = 5000): Promise<EgressOutcome> {
  const url = `http://127.0.0.1:${port}/`;
  return egress.send({ method: 'POST', url, body: '{}', timeoutMs, maxBytes: 100 });
}

function reasonOf(got: EgressOutcome): string {
  return got.outcome === 'answered' ? got.outcome : `${got.outcome}: ${got.reason}`;
}

describe('calls', () => {
  test('to one origin share its sockets, and wait for them', async () => {
    const { receiver, waiting, answerAll } = await startPatient();
    const egress = start({ socketsPerOrigin: 3 });
    const calls = Array.from({ length: 9 }, () => call(egress, receiver.port));
    for (let round = 0; round < 3; round += 1) {
      await until('three have arrived', () => waiting.length === 3);
      answerAll();
    }
    assert.deepEqual((await Promise.all(calls)).map(reasonOf), Array(9).fill('answered'));
    assert.equal(receiver.connections, 3);
    await egress.close();
    await receiver.close();
  });

  test('to one origin beyond what it may have are refused, and those to another are not', async () => {
    const [one, other] = [await startPatient(), await startPatient()];
    const egress = start({ callsPerOrigin: 2 });
    const calls = [1, 2].map(() => call(egress, one.receiver.port));
    assert.equal(reasonOf(await call(egress, one.receiver.port)), 'refused: too_busy');
    calls.push(call(egress, other.receiver.port));
    await until('all have arrived', () => one.waiting.length + other.waiting.length === 3);
    one.answerAll();
    other.answerAll();
    assert.deepEqual((await Promise.all(calls)).map(reasonOf), Array(3).fill('answered'));
    await egress.close();
    await one.receiver.close();
    await other.receiver.close();
  });

  test('beyond what may be under way are refused until one has ended', async () => {
    const { receiver, waiting, answerAll } = await startPatient();
    const egress = start({ calls: 1 });
    const first = call(egress, receiver.port);
    assert.equal(reasonOf(await call(egress, receiver.port)), 'refused: too_busy');
    await until('the first has arrived', () => waiting.length === 1);
    answerAll();
    assert.equal(reasonOf(await first), 'answered');
    const next = call(egress, receiver.port);
    await until('the next has arrived', () => waiting.length === 1);
    answerAll();
    assert.equal(reasonOf(await next), 'answered');
    await egress.close();
    await receiver.close();
  });

  test('that were given up leave their place to others', async () => {
    const { receiver, waiting, answerAll } = await startPatient();
    const egress = start({ calls: 4, socketsPerOrigin: 1 });
    const lost = await Promise.all([1, 2, 3, 4].map(() => call(egress, receiver.port, 50)));
    assert.deepEqual(lost.map(reasonOf), Array(4).fill('failed: timed_out'));
    await until('their connections are given up', () => receiver.open === 0);
    // Only the one that had a connection was ever sent.
    assert.equal(waiting.splice(0).length, 1);
    const next = await until('there is a place again', async () => {
      const sent = call(egress, receiver.port);
      await Promise.race([sent, until('it has arrived', () => waiting.length === 1)]);
      answerAll();
      const got = await sent;
      return got.outcome === 'answered' && got;
    });
    assert.equal(next.body.toString(), 'late');
    await egress.close();
    await receiver.close();
  });
});

describe('sockets', () => {
  test('that are idle give way when there are too many', async () => {
    const receivers = await Promise.all(
      [1, 2, 3, 4].map(() => startReceiver((_request, response) => response.end('ok'))),
    );
    const egress = start({ sockets: 2 });
    for (const { port } of receivers) assert.equal(reasonOf(await call(egress, port)), 'answered');
    await until('two are open', () => receivers.reduce((sum, { open }) => sum + open, 0) === 2);
    assert.deepEqual(
      receivers.map(({ open }) => open),
      [0, 0, 1, 1],
    );
    await egress.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  test('that are all in use let no further call be made', async () => {
    const [one, other] = [await startPatient(), await startPatient()];
    const egress = start({ sockets: 1 });
    const first = call(egress, one.receiver.port);
    assert.equal(reasonOf(await call(egress, other.receiver.port)), 'refused: too_busy');
    assert.equal(other.receiver.connections, 0);
    await until('the first has arrived', () => one.waiting.length === 1);
    one.answerAll();
    assert.equal(reasonOf(await first), 'answered');
    await egress.close();
    await one.receiver.close();
    await other.receiver.close();
  });

  test('are not used for longer than their life, however busy they are', async () => {
    const receiver = await startReceiver((_request, response) => response.end('ok'));
    const egress = start({ connectionLifeMs: 50 });
    await until('a third connection', async () => {
      assert.equal(reasonOf(await call(egress, receiver.port)), 'answered');
      return receiver.connections >= 3;
    });
    assert.ok(receiver.open <= 2);
    await egress.close();
    await receiver.close();
  });

  test('that the other end closes between two calls do no harm', async () => {
    const receiver = await startReceiver((_request, response) => {
      response.end('ok', () => response.socket?.destroy());
    });
    const egress = start();
    for (let time = 0; time < 3; time += 1) {
      assert.equal(reasonOf(await call(egress, receiver.port)), 'answered');
      await until('it is closed', () => receiver.open === 0);
    }
    await egress.close();
    await receiver.close();
  });
});

describe('the end', () => {
  test('ends what is under way, and every connection', async () => {
    const { receiver, waiting } = await startPatient();
    const egress = start({ socketsPerOrigin: 1 });
    const calls = [1, 2, 3].map(() => call(egress, receiver.port));
    await until('one has arrived', () => waiting.length === 1);
    await egress.close();
    assert.deepEqual((await Promise.all(calls)).map(reasonOf), Array(3).fill('failed: closed'));
    await until('no connection is left', () => receiver.open === 0);
    assert.equal(reasonOf(await call(egress, receiver.port)), 'failed: closed');
    await receiver.close();
  });
});
