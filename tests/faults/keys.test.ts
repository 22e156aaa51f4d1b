import { test } from 'node:test';
import { repeated } from '../harness/tier.ts';
import { rotateUnderLogins } from './id-token-keys.ts';
import { rotateUnderLoad } from './keys.ts';
import { replayable } from './scenario.ts';

test('No verifier that caches the key set for its max-age ever rejects a valid token, even if keys are rotated often (SPEC authentication 4, SPEC authentication 2)', async () => {
  await replayable(repeated(3), rotateUnderLoad);
});

test('No application that caches the key set for its max-age ever rejects an ID token, of RS256 or EdDSA, while their keys are rotated on two nodes', async () => {
  await replayable(repeated(2), rotateUnderLogins);
});
