import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_IMAGE_BYTES as LARGEST } from '@keywright/contract/records/logo';
import { MAX_PICTURE_BYTES as LARGEST_PICTURE } from '@keywright/contract/routes/pictures';
import { MAX_IMAGE_BYTES, MAX_PICTURE_BYTES } from './image-limits.ts';

test('The console limits image files to the sizes that the service accepts', () => {
  assert.deepEqual(MAX_IMAGE_BYTES, LARGEST);
  assert.equal(MAX_PICTURE_BYTES, LARGEST_PICTURE);
});
