import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { seededRandom } from '@keywright/tests/harness/random';
import { ACTIONS, missingScopes, RESOURCES, ScopeSchema } from './scopes.ts';

describe('a scope', () => {
  const form = Compile(ScopeSchema);

  test('is an action, a colon and a resource (SPEC service 8)', () => {
    for (const action of ACTIONS) {
      for (const resource of [...RESOURCES, 'invoices', 'a', 'a1_b.c-d', `a${'b'.repeat(63)}`]) {
        assert.ok(form.Check(`${action}:${resource}`), `${action}:${resource}`);
      }
    }
  });

  test('is nothing else', () => {
    const wrong = ['', ':', 'read', 'read:', ':users', 'update:users', 'READ:users', 'read:Users'];
    wrong.push('read:1a', 'read:users ', 'read: users', 'read:users:all', 'read:**', 'read:us*rs');
    wrong.push('**:users', `read:a${'b'.repeat(64)}`, 'read:users\n', 'read:ünits');
    for (const text of wrong) assert.equal(form.Check(text), false, JSON.stringify(text));
  });
});

describe('the scopes that are missing', () => {
  const cases: readonly (readonly [held: string[], needed: string[], missing: string[]])[] = [
    [[], [], []],
    [[], ['read:users'], ['read:users']],
    [['read:users'], ['read:users'], []],
    [['read:users'], ['write:users', 'read:users', 'read:roles'], ['write:users', 'read:roles']],
    [['*:users'], ['read:users', 'delete:users'], []],
    [['*:users'], ['read:roles'], ['read:roles']],
    [['read:*'], ['read:users', 'read:anything'], []],
    [['read:*'], ['write:users'], ['write:users']],
    [['*:*'], ['read:users', '*:*', 'read:*', '*:users'], []],
    [['read:users', 'write:users', 'delete:users'], ['*:users'], ['*:users']],
    [['read:users', 'read:roles'], ['read:*'], ['read:*']],
    [['read:*', '*:users'], ['*:*'], ['*:*']],
    [['read:user'], ['read:users'], ['read:users']],
    [['read:users'], ['read:user'], ['read:user']],
    [['read'], ['read:users'], ['read:users']],
    [[''], ['read:users'], ['read:users']],
  ];
  for (const [held, needed, missing] of cases) {
    test(`to who holds ${JSON.stringify(held)} of ${JSON.stringify(needed)}`, () => {
      assert.deepEqual(missingScopes(held, needed), missing);
    });
  }

  test('obey the same laws whatever is held and needed', () => {
    const random = seededRandom();
    const actions = ['read', 'write', 'delete', '*'];
    const resources = ['users', 'roles', 'keys', '*'];
    const one = (list: readonly string[]) => list[random.between(0, list.length)] ?? '';
    const some = () =>
      Array.from({ length: random.between(0, 4) }, () => `${one(actions)}:${one(resources)}`);
    for (let round = 0; round < 5000; round += 1) {
      const [held, needed, more] = [some(), some(), some()];
      const missing = missingScopes(held, needed);
      const context = `seed ${random.seed}: ${JSON.stringify({ held, needed, more })}`;
      // What is missing is what was needed and not covered by any single one that is held.
      for (const scope of needed) {
        const [action, resource] = scope.split(':');
        const isHeld = held.some((text) => {
          const [heldAction, heldResource] = text.split(':');
          return [action, '*'].includes(heldAction) && [resource, '*'].includes(heldResource);
        });
        assert.equal(missing.includes(scope), !isHeld, context);
      }
      // One lacks nothing of what one holds; holding more never makes more missing; who holds all of
      // `more` lacks nothing that `more` gives.
      assert.deepEqual(missingScopes(held, held), [], context);
      const withMore = missingScopes([...held, ...more], needed);
      assert.ok(
        withMore.every((scope) => missing.includes(scope)),
        context,
      );
      if (missingScopes(held, more).length === 0) {
        assert.ok(
          missing.every((scope) => missingScopes(more, [scope]).length > 0),
          context,
        );
      }
      assert.deepEqual(missingScopes(['*:*'], needed), [], context);
    }
  });
});
