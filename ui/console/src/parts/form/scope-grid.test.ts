import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scopesBeside } from './scope-grid.ts';

it('The field for further scopes holds those that neither the grid nor a choice shows', () => {
  const scopes = [
    'read:users',
    '*:*',
    'read:invoices',
    'write:*',
    'delete:sessions',
    'execute:users',
    'mcp:tools',
  ];
  assert.deepEqual(scopesBeside(scopes, ['mcp:tools']), ['read:invoices', 'execute:users']);
});
