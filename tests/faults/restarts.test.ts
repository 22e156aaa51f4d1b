import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { restartUnderLoad } from './restarts.ts';
import { replayable } from './scenario.ts';

test('stopping nodes one after another under load fails no request that a balancer sends to ready ones', async () => {
  await replayable(repeated(2), restartUnderLoad);
});
