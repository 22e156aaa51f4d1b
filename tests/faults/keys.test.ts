import { test } from 'node:test';
import { rotateUnderLoad } from './keys.ts';
import { replayable } from './scenario.ts';

test('no verifier that caches the key set for its max-age ever rejects a valid token, however often keys are rotated (SPEC authentication 4, SPEC authentication 2)', async () => {
  await replayable(3, rotateUnderLoad);
});
