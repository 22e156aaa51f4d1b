import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress, type Egress } from './egress.ts';
import type { EgressLimits } from './origin-pools.ts';
import type { EgressOutcome } from './outcome.ts';

function start(t: TestContext, limits: Partial<EgressLimits> = {}): Egress {
  const egress = new LoadedEgress({ allow: parseEgressAllow('127.0.0.1').allow, limits });
  t.after(() => egress.close());
  return egress;
}

async function startWilling(t: TestContext): Promise<Receiver> {
  const receiver = await startReceiver((_request, response) => response.end('ok'));
  t.after(() => receiver.close());
  return receiver;
}

/** A receiver that responds only when the test tells it to. */
async function startPatient(t: TestContext) {
  const waiting: ServerResponse[] = [];
  const receiver = await startReceiver((_request, response) => waiting.push(response));
  t.after(() => receiver.close());
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
  test('Calls to one origin share its sockets and wait for them', async (t) => {
    const { receiver, waiting, answerAll } = await startPatient(t);
    const egress = start(t, { socketsPerOrigin: 3 });
    const calls = Array.from({ length: 9 }, () => call(egress, receiver.port));
    for (let round = 0; round < 3; round += 1) {
      await until('three have arrived', () => waiting.length === 3);
      answerAll();
    }
    assert.deepEqual((await Promise.all(calls)).map(reasonOf), Array(9).fill('answered'));
    assert.equal(receiver.connections, 3);
  });

  test('Calls beyond the limit of one origin are rejected, and calls to another origin are not', async (t) => {
    const [patient, other] = [await startPatient(t), await startPatient(t)];
    const egress = start(t, { callsPerOrigin: 2 });
    const calls = [1, 2].map(() => call(egress, patient.receiver.port));
    assert.equal(reasonOf(await call(egress, patient.receiver.port)), 'refused: too_busy');
    calls.push(call(egress, other.receiver.port));
    await until('all have arrived', () => patient.waiting.length + other.waiting.length === 3);
    patient.answerAll();
    other.answerAll();
    assert.deepEqual((await Promise.all(calls)).map(reasonOf), Array(3).fill('answered'));
  });

  test('Calls beyond the total limit are rejected until one call has ended', async (t) => {
    const { receiver, waiting, answerAll } = await startPatient(t);
    const egress = start(t, { calls: 1 });
    const first = call(egress, receiver.port);
    assert.equal(reasonOf(await call(egress, receiver.port)), 'refused: too_busy');
    await until('the first has arrived', () => waiting.length === 1);
    answerAll();
    assert.equal(reasonOf(await first), 'answered');
    const next = call(egress, receiver.port);
    await until('the next has arrived', () => waiting.length === 1);
    answerAll();
    assert.equal(reasonOf(await next), 'answered');
  });

  test('Calls that were aborted leave their place to others', async (t) => {
    const { receiver, waiting, answerAll } = await startPatient(t);
    const egress = start(t, { calls: 4, socketsPerOrigin: 1 });
    const lost = await Promise.all([1, 2, 3, 4].map(() => call(egress, receiver.port, 300)));
    assert.deepEqual(lost.map(reasonOf), Array(4).fill('failed: timed_out'));
    await until('their connections are given up', () => receiver.open === 0);
    // Only the one that had a connection was ever sent.
    assert.ok(waiting.splice(0).length <= 1);
    const next = await until('there is a place again', async () => {
      const sent = call(egress, receiver.port);
      await Promise.race([sent, until('it has arrived', () => waiting.length === 1)]);
      answerAll();
      const got = await sent;
      return got.outcome === 'answered' && got;
    });
    assert.equal(next.body.toString(), 'late');
  });
});

describe('sockets', () => {
  test('Sockets that are idle are closed when there are too many', async (t) => {
    const [first, other, third] = [
      await startWilling(t),
      await startWilling(t),
      await startWilling(t),
    ];
    const egress = start(t, { sockets: 2 });
    for (const { port } of [first, other, first, third]) {
      assert.equal(reasonOf(await call(egress, port)), 'answered');
    }
    await until('the one that was idle for longest is closed', () => other.open === 0);
    assert.deepEqual([first.open, third.open], [1, 1]);
  });

  test('Sockets that are all in use prevent further calls', async (t) => {
    const [patient, other] = [await startPatient(t), await startPatient(t)];
    const egress = start(t, { sockets: 1 });
    const first = call(egress, patient.receiver.port);
    assert.equal(reasonOf(await call(egress, other.receiver.port)), 'refused: too_busy');
    assert.equal(other.receiver.connections, 0);
    await until('the first has arrived', () => patient.waiting.length === 1);
    patient.answerAll();
    assert.equal(reasonOf(await first), 'answered');
  });

  test('Sockets are not used beyond their maximum age, however busy they are', async (t) => {
    const receiver = await startWilling(t);
    const egress = start(t, { connectionLifeMs: 50 });
    await until('a third connection', async () => {
      assert.equal(reasonOf(await call(egress, receiver.port)), 'answered');
      return receiver.connections >= 3;
    });
    assert.ok(receiver.open <= 2);
  });

  test('Sockets that the peer closes between two calls are harmless', async (t) => {
    const receiver = await startReceiver((_request, response) => {
      response.end('ok', () => response.socket?.destroy());
    });
    t.after(() => receiver.close());
    const egress = start(t);
    for (let time = 0; time < 3; time += 1) {
      assert.equal(reasonOf(await call(egress, receiver.port)), 'answered');
      await until('it is closed', () => receiver.open === 0);
    }
  });
});

describe('closing', () => {
  test('A client for outgoing calls that is closed aborts calls in progress and closes every connection', async (t) => {
    const { receiver, waiting } = await startPatient(t);
    const egress = start(t, { socketsPerOrigin: 1 });
    const calls = [1, 2, 3].map(() => call(egress, receiver.port));
    await until('one has arrived', () => waiting.length === 1);
    await egress.close();
    assert.deepEqual((await Promise.all(calls)).map(reasonOf), Array(3).fill('failed: closed'));
    await until('no connection is left', () => receiver.open === 0);
    assert.equal(reasonOf(await call(egress, receiver.port)), 'failed: closed');
  });
});
