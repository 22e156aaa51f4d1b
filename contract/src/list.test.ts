import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfAnyTenant } from './route.ts';
import { ROUTES } from './routes.ts';

/** Lists of numbers about the tenant, not of records. */
const OF_NUMBERS = ['audit.list_activity'];

test('Every list of records of a tenant can be of any tenant for system administrators (SPEC authentication 9)', () => {
  const lists = ROUTES.filter(({ id, method, path, access }) => {
    const isOfTenant = access === 'caller' || typeof access === 'object';
    return method === 'GET' && isOfTenant && !path.includes(':') && /\.list(_\w+)?$/.test(id);
  });
  const others = lists.filter((route) => !isOfAnyTenant(route)).map(({ id }) => id);
  assert.deepEqual(others, OF_NUMBERS);
  assert.ok(lists.length > 15);
});
