import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_IMAGE_BYTES as LARGEST } from '@keywright/contract/records/logo';
import { MAX_IMAGE_BYTES } from './file.ts';

test('The console limits image files to the sizes that the service accepts', () => {
  assert.deepEqual(MAX_IMAGE_BYTES, LARGEST);
});
