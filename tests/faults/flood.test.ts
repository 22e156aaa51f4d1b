import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { endureFlood } from './flood.ts';
import { replayable } from './scenario.ts';

test('Each login succeeds or gets 429 at ten times as many as can be hashed, refreshes work, and memory is constant', async () => {
  await replayable(repeated(3), async (run) => (await endureFlood(run)).figures);
});
