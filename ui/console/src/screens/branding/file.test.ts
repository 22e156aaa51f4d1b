import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LOGO_BYTES as LARGEST } from '@keywright/contract/records/logo';
import { MAX_LOGO_BYTES } from './file.ts';

test('a file is as large as the service takes', () => {
  assert.equal(MAX_LOGO_BYTES, LARGEST);
});
