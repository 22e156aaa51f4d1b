import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { HOME } from './home.ts';

test('The home of system administrators is the default tenant of the contract', () => {
  assert.equal(HOME, DEFAULT_TENANT);
});
