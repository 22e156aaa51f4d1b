import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actionsOn, effectOf, effectOn } from './effect.ts';

const READER = { name: 'reader', scopes: ['read:users', 'read:roles'] };
const AUDITOR = { name: 'auditor', scopes: ['read:*'] };
const ROLES = [READER, AUDITOR];

describe('the change of a role', () => {
  it('The change of a role gains and loses only what no other scope covers', () => {
    assert.deepEqual(effectOf(['read:users', 'read:roles'], ['read:*', 'write:users']), {
      gains: ['read:*', 'write:users'],
      loses: [],
    });
  });

  it('The change of a role takes nothing from a user who has it by another role', () => {
    const changed = { name: 'reader', scopes: ['read:users', 'write:users'] };
    assert.deepEqual(effectOn(['reader'], ROLES, changed), {
      gains: ['write:users'],
      loses: ['read:roles'],
    });
    assert.deepEqual(effectOn(['reader', 'auditor'], ROLES, changed), {
      gains: ['write:users'],
      loses: [],
    });
  });
});

describe('the matrix of roles', () => {
  it('The matrix of roles has the actions that a scope covers, and shows all of them as one', () => {
    const actions = ['read', 'write', 'delete', '*'];
    assert.deepEqual(actionsOn(['read:*', 'write:users'], actions, 'users'), ['read', 'write']);
    assert.deepEqual(actionsOn(['*:*'], actions, 'users'), ['*']);
    assert.deepEqual(actionsOn(['read:users'], actions, 'roles'), []);
    assert.deepEqual(actionsOn(['read:users'], actions, '*'), []);
  });
});
