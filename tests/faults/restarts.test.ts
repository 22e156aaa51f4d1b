import { test } from 'node:test';
import { restartUnderLoad } from './restarts.ts';
import { replayable } from './scenario.ts';

test('nodes that are ended one after the other under load fail no request that a balancer leads to those that are ready', async () => {
  await replayable(2, restartUnderLoad);
});
