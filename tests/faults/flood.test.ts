import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { endureFlood } from './flood.ts';
import { replayable } from './scenario.ts';

test('with ten times as many logins as can be hashed, each succeeds or gets 429, refreshes work, memory is constant', async () => {
  await replayable(repeated(3), async (run) => (await endureFlood(run)).figures);
});
