import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openView, searchOfView } from './views.ts';

const ALL = { title: 'users', filters: {} } as const;
const ACTIVE = { title: 'active', filters: { is_active: 'true' } } as const;
const WAITING = {
  title: 'neverLoggedIn',
  filters: { is_active: 'true', has_logged_in: 'false' },
} as const;
const VIEWS = [ALL, ACTIVE, WAITING];

it('The open view is the narrowest one whose filters are set', () => {
  assert.equal(openView(VIEWS, {}), ALL);
  assert.equal(openView(VIEWS, { role: 'engineer' }), ALL);
  assert.equal(openView(VIEWS, { is_active: 'true', role: 'engineer' }), ACTIVE);
  assert.equal(openView(VIEWS, { is_active: 'true', has_logged_in: 'false' }), WAITING);
  assert.equal(openView(VIEWS, { is_active: 'false' }), ALL);
});

it('Another view replaces the filters of the open one, keeps the others, and starts at the first page', () => {
  const search = { is_active: 'true', role: 'engineer', limit: '50', page: '3', cursor: 'abc' };
  assert.deepEqual(searchOfView(ALL, ACTIVE, search), { role: 'engineer', limit: '50' });
  assert.deepEqual(searchOfView(WAITING, ACTIVE, search), {
    is_active: 'true',
    has_logged_in: 'false',
    role: 'engineer',
    limit: '50',
  });
});
