import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { crashExchanges } from './code-crashes.ts';
import { raceCodes } from './codes.ts';
import { replayable } from './scenario.ts';

test('an authorization code that is exchanged on three processes at once opens one session', async () => {
  await replayable(10, raceCodes);
});

test('after SIGKILL between a commit and its answer, no code has opened two sessions, and another one works', async () => {
  await replayable(repeated(3), crashExchanges);
});
