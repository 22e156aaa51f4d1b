import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LOGO_BYTES as LARGEST } from '@keywright/contract/records/logo';
import { MAX_LOGO_BYTES } from './file.ts';

test('The console limits a logo file to the size that the service accepts', () => {
  assert.equal(MAX_LOGO_BYTES, LARGEST);
});
