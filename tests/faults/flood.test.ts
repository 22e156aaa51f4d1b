import { test } from 'node:test';
import { endureFlood } from './flood.ts';
import { replayable } from './scenario.ts';

test('ten times as many logins as there can be: each is let in or asked to come again, refreshes go on, memory stays', async () => {
  await replayable(3, async (run) => (await endureFlood(run)).figures);
});
