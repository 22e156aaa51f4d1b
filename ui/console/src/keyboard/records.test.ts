import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf } from './records.ts';

const RANDOM = '01m817qnm0e599bza8yqh63kxq';

test('A pasted id or address leads to its record', () => {
  assert.deepEqual(placeOf(` user:${RANDOM} `), { to: `/users/user:${RANDOM}` });
  assert.deepEqual(placeOf(`service:${RANDOM}`), { to: `/agents/service:${RANDOM}` });
  assert.deepEqual(placeOf('ws_default'), { to: '/workspaces/ws_default' });
  assert.deepEqual(placeOf(`idp_${RANDOM}`), { to: `/providers/idp_${RANDOM}` });
  assert.deepEqual(placeOf(`inv_${RANDOM}`), { to: `/invitations/inv_${RANDOM}` });
  assert.deepEqual(placeOf(`res_${RANDOM}`), { to: `/resources/res_${RANDOM}` });
  assert.deepEqual(placeOf('ada@example.com'), {
    to: '/users',
    search: { email: 'ada@example.com' },
  });
});

test('A pasted id of a record without a screen leads to its audit entries', () => {
  const target = `session:${RANDOM}`;
  assert.deepEqual(placeOf(target), { to: '/audit', search: { target } });
  const request = 'aJOzHJqGcYaRTfR3QxfxQQ';
  assert.deepEqual(placeOf(request), { to: '/audit', search: { request_id: request } });
});

test('Text that names no record leads nowhere when it is pasted', () => {
  for (const text of ['', 'users', 'user:', 'user:../../x', 'ws_a b', '@', 'a@b@c']) {
    assert.equal(placeOf(text), undefined, text);
  }
});
