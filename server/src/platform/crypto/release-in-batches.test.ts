import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLoopIterations } from '@keywright/tests/harness/parallel';
import { inBatches } from './password.ts';

/** The callers, and those that have been released. */
function comers() {
  const come = inBatches(3);
  const gone: string[] = [];
  return {
    come: (name: string, sureToCome: number, isPatient?: boolean) =>
      void come(sureToCome, isPatient).then(() => {
        gone.push(name);
      }),
    gone: async () => {
      await eventLoopIterations(1);
      return gone;
    },
  };
}

test('Callers are held until three have arrived', async () => {
  const { come, gone } = comers();
  come('one', 9);
  come('two', 8);
  assert.deepEqual(await gone(), []);
  come('three', 7);
  assert.deepEqual(await gone(), ['one', 'two', 'three']);
  come('four', 6);
  assert.deepEqual(await gone(), ['one', 'two', 'three']);
});

test('A caller is not held if three are not certain to arrive', async () => {
  const { come, gone } = comers();
  come('one', 2);
  assert.deepEqual(await gone(), ['one']);
  come('two', 3);
  assert.deepEqual(await gone(), ['one']);
  come('three', 2);
  assert.deepEqual(await gone(), ['one', 'two', 'three']);
});

test('A caller that must not wait is released immediately, and delays no other caller', async () => {
  const { come, gone } = comers();
  come('hurried', 9, false);
  assert.deepEqual(await gone(), ['hurried']);
  come('one', 9);
  come('hurried again', 9, false);
  assert.deepEqual(await gone(), ['hurried', 'hurried again']);
  come('hurried still', 9, false);
  assert.deepEqual((await gone()).toSorted(), ['hurried', 'hurried again', 'hurried still', 'one']);
  come('two', 9);
  come('the last', 2, false);
  assert.ok((await gone()).includes('two'));
});
