import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { crashExchanges } from './code-crashes.ts';
import { raceCodes } from './codes.ts';
import { replayable } from './scenario.ts';

test('An authorization code that is exchanged on three processes concurrently opens one session', async () => {
  await replayable(10, raceCodes);
});

test('No code has opened two sessions after SIGKILL between a commit and its response, and another code works', async () => {
  await replayable(repeated(3), crashExchanges);
});
