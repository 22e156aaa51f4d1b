import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../../api/problem.ts';
import { runEach } from './bulk-run.ts';

describe('what is done for several', () => {
  it('A bulk action continues after an item that fails, and reports that item', async () => {
    const { signal } = new AbortController();
    const refusal = new Problem(403, { code: 'SCOPE_NOT_HELD', detail: 'You do not hold it.' });
    const steps: number[] = [];
    const done: string[] = [];
    const work = async (item: string) => {
      if (item === 'b') throw refusal;
      done.push(item);
    };
    const failed = await runEach(['a', 'b', 'c'], {
      signal,
      work,
      onStep: (step) => steps.push(step),
    });
    assert.deepEqual(
      [done, steps],
      [
        ['a', 'c'],
        [1, 2, 3],
      ],
    );
    assert.deepEqual(failed, [{ item: 'b', problem: refusal }]);
  });

  it('A bulk action is repeated when the service requests it, and ends when the user leaves it', async () => {
    const controller = new AbortController();
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries === 1) {
        throw new Problem(429, { code: 'TOO_MANY_REQUESTS' }, new Headers({ 'retry-after': '0' }));
      }
      controller.abort();
    };
    const options = { signal: controller.signal, work, onStep: () => undefined };
    assert.deepEqual(await runEach(['a', 'b'], options), []);
    assert.equal(tries, 2);
  });
});
