import assert from 'node:assert/strict';
import { it } from 'node:test';
import { byTopic } from './topics.ts';

it('The events of sign-in and sign-out are with the sessions, not with the other events of users', () => {
  assert.deepEqual(byTopic(['user.created', 'user.login', 'session.revoked', 'new.kind']), [
    ['people', ['user.created']],
    ['sessions', ['user.login', 'session.revoked']],
    ['tenant', ['new.kind']],
  ]);
});
