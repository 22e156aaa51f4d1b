import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLoopTurns } from '@keywright/tests/harness/parallel';
import { together } from './together.ts';

/** Those who come, and who of them has been let go. */
function comers() {
  const come = together(3);
  const gone: string[] = [];
  return {
    come: (name: string, sureToCome: number) =>
      void come(sureToCome).then(() => {
        gone.push(name);
      }),
    gone: async () => {
      await eventLoopTurns(1);
      return gone;
    },
  };
}

test('who comes is held until three have come', async () => {
  const { come, gone } = comers();
  come('one', 9);
  come('two', 8);
  assert.deepEqual(await gone(), []);
  come('three', 7);
  assert.deepEqual(await gone(), ['one', 'two', 'three']);
  come('four', 6);
  assert.deepEqual(await gone(), ['one', 'two', 'three']);
});

test('nobody is held for whom no three are sure to come', async () => {
  const { come, gone } = comers();
  come('one', 2);
  assert.deepEqual(await gone(), ['one']);
  come('two', 3);
  assert.deepEqual(await gone(), ['one']);
  come('three', 2);
  assert.deepEqual(await gone(), ['one', 'two', 'three']);
});
