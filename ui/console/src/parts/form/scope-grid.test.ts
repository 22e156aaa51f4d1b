import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scopesBeside } from './scope-grid.ts';

it('scopes of the service are in the grid, and those of other services beside it', () => {
  const scopes = [
    'read:users',
    '*:*',
    'read:invoices',
    'write:*',
    'delete:sessions',
    'execute:users',
  ];
  assert.deepEqual(scopesBeside(scopes), ['read:invoices', 'execute:users']);
});
