import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventLoopIterations } from '@keywright/tests/harness/parallel';
import { until } from '@keywright/tests/harness/until';
import { batched } from './calls.ts';

interface Flight {
  readonly items: readonly number[];
  land(): void;
  crash(error: Error): void;
}

/** A batch whose calls remain in flight until the test completes them. Results are ten times the item. */
function controlled(limits: Parameters<typeof batched>[1]) {
  const flights: Flight[] = [];
  const call = batched<number, number>((items) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    flights.push({ items, land: () => resolve(items.map((item) => item * 10)), crash: reject });
    return promise;
  }, limits);
  return { call, flights, itemsOf: () => flights.map((flight) => flight.items) };
}

const ROOMY = { size: 100, flights: 100 };

describe('batched calls', () => {
  test('The calls of one turn of the event loop and the next are batched into one, and each gets its own result', async () => {
    const { call, flights, itemsOf } = controlled(ROOMY);
    const answers = Promise.all([call(3), call(1), Promise.resolve().then(() => call(2))]);
    await eventLoopIterations(1);
    assert.deepEqual(itemsOf(), [], 'not before the next turn is over');
    const late = call(4);
    await eventLoopIterations(1);
    assert.deepEqual(itemsOf(), [[3, 1, 2, 4]]);
    flights[0]?.land();
    assert.deepEqual([...(await answers), await late], [30, 10, 20, 40]);
  });

  test('A batched call that is alone waits for one turn, and for no other call', async () => {
    const { call, flights, itemsOf } = controlled(ROOMY);
    const answer = call(1);
    await eventLoopIterations(1);
    assert.deepEqual(itemsOf(), [[1]]);
    flights[0]?.land();
    assert.equal(await answer, 10);
  });

  test('The calls of separate turns are separate batches, as long as there is room', async () => {
    const { call, flights, itemsOf } = controlled(ROOMY);
    const first = call(1);
    await eventLoopIterations(2);
    const second = call(2);
    await eventLoopIterations(2);
    assert.deepEqual(itemsOf(), [[1], [2]]);
    flights[1]?.land();
    assert.equal(await second, 20, 'which do not wait for each other');
    flights[0]?.land();
    assert.equal(await first, 10);
  });

  test('The calls beyond the limit of running batches wait, and then run together in order', async () => {
    const { call, flights, itemsOf } = controlled({ size: 100, flights: 2 });
    const answers: Promise<number>[] = [];
    for (let item = 1; item <= 5; item += 1) {
      answers.push(call(item));
      await eventLoopIterations(2);
    }
    assert.deepEqual(itemsOf(), [[1], [2]]);
    flights[1]?.land();
    await eventLoopIterations(3);
    assert.deepEqual(itemsOf(), [[1], [2], [3, 4, 5]]);
    flights[0]?.land();
    flights[2]?.land();
    assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40, 50]);
  });

  test('A batch starts alongside another that is not slow only if it is full', async () => {
    const { call, flights, itemsOf } = controlled({ size: 2, flights: 3, slowAfterMs: 60_000 });
    const answers = [call(1)];
    await eventLoopIterations(2);
    answers.push(call(2));
    await eventLoopIterations(3);
    assert.deepEqual(itemsOf(), [[1]]);
    answers.push(call(3));
    await eventLoopIterations(3);
    assert.deepEqual(itemsOf(), [[1], [2, 3]]);
    answers.push(call(4));
    await eventLoopIterations(3);
    for (const flight of flights) flight.land();
    await eventLoopIterations(3);
    assert.deepEqual(itemsOf(), [[1], [2, 3], [4]]);
    flights[2]?.land();
    assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40]);
  });

  test('A batch that is not full starts once the one in progress is slow', async () => {
    const { call, flights, itemsOf } = controlled({ size: 2, flights: 2, slowAfterMs: 5 });
    const slow = call(1);
    await eventLoopIterations(2);
    const other = call(2);
    await until('the second batch runs', () => flights.length === 2);
    assert.deepEqual(itemsOf(), [[1], [2]]);
    flights[1]?.land();
    assert.equal(await other, 20);
    flights[0]?.land();
    assert.equal(await slow, 10);
  });

  test('A batch of calls never exceeds its size limit', async () => {
    const { call, flights, itemsOf } = controlled({ size: 2, flights: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5].map(call));
    await eventLoopIterations(4);
    assert.deepEqual(itemsOf(), [
      [1, 2],
      [3, 4],
    ]);
    for (const flight of flights) flight.land();
    await eventLoopIterations(4);
    assert.deepEqual(itemsOf()[2], [5]);
    flights[2]?.land();
    assert.deepEqual(await answers, [10, 20, 30, 40, 50]);
  });

  test('The calls of a failed batch fail together, and later calls do not fail', async () => {
    const { call, flights } = controlled({ size: 100, flights: 1 });
    const failing = Promise.allSettled([call(1), call(2)]);
    await eventLoopIterations(2);
    const later = call(3);
    const error = new Error('the connection broke');
    flights[0]?.crash(error);
    for (const outcome of await failing) {
      assert.deepEqual(outcome, { status: 'rejected', reason: error });
    }
    await eventLoopIterations(3);
    flights[1]?.land();
    assert.equal(await later, 30);
  });

  test('The calls of a batch fail, and do not hang, if the work throws synchronously', async () => {
    let calls = 0;
    const call = batched<number, number>(
      () => {
        calls += 1;
        throw new Error('immediately');
      },
      { size: 1, flights: 1 },
    );
    const outcomes = await Promise.allSettled([call(1), call(2), call(3)]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.equal(calls, 3);
  });
});
