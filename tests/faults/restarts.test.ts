import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { restartUnderLoad } from './restarts.ts';
import { replayable } from './scenario.ts';

test('No request that a balancer sends to ready nodes fails while nodes are stopped one after another under load', async () => {
  await replayable(repeated(2), restartUnderLoad);
});
