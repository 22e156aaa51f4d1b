import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { type Random, seededRandom } from '@keywright/tests/harness/random';
import { ScopeSchema } from './scope-schema.ts';
import {
  ACTIONS,
  flawOfAction,
  intersectScopes,
  isPermission,
  missingScopes,
  RESOURCES,
} from './scopes.ts';

describe('a scope', () => {
  const form = Compile(ScopeSchema);

  test('A scope is an action, a colon and a resource (SPEC service 8)', () => {
    for (const action of ACTIONS) {
      for (const resource of [...RESOURCES, 'invoices', 'a', 'a1_b.c-d', `a${'b'.repeat(63)}`]) {
        assert.ok(form.Check(`${action}:${resource}`), `${action}:${resource}`);
      }
    }
  });

  test('A scope for resources that a tenant defines can have any action and any name', () => {
    for (const action of ['approve', 'a', 'a1_b.c-d', `a${'b'.repeat(63)}`, '*']) {
      for (const resource of ['invoices', 'files/2026', 'a:b', 'users/x', 'users:x', '*']) {
        const scope = `${action}:${resource}`;
        assert.ok(form.Check(scope) && isPermission(scope), scope);
        assert.equal(flawOfAction(scope), undefined);
      }
    }
  });

  test('A scope in any other format is rejected', () => {
    const wrong = ['', ':', 'read', 'read:', ':users', 'READ:users', 'read:Users', '/a:b', '1a:b'];
    wrong.push(
      'read:1a',
      'read:users ',
      'read: users',
      'read:**',
      'read:us*rs',
      'read:*/x',
      're*:a',
    );
    wrong.push('**:users', `read:a${'b'.repeat(64)}`, `a${'b'.repeat(64)}:x`, 'read:users\n');
    wrong.push(
      'read:ünits',
      'read:/x',
      'a/b:x',
      'read:a"b',
      'read:a\\b',
      'read:a b',
      'ｒead:users',
    );
    for (const text of wrong) {
      assert.equal(form.Check(text), false, JSON.stringify(text));
      assert.equal(isPermission(text), false, JSON.stringify(text));
    }
  });

  test('A scope of a resource of the service has an action of the service', () => {
    for (const resource of RESOURCES.filter((name) => name !== '*')) {
      for (const action of ACTIONS) assert.equal(flawOfAction(`${action}:${resource}`), undefined);
      for (const action of ['frobnicate', 'admin', 'reads', 'read.all']) {
        const scope = `${action}:${resource}`;
        assert.match(flawOfAction(scope) ?? '', /read, write, delete, \*$/);
        assert.equal(isPermission(scope), false);
      }
    }
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
    [['mcp:tools'], ['mcp:tools'], []],
    [['*:tools'], ['mcp:tools'], []],
    [['mcp:*'], ['mcp:tools', 'mcp:users'], ['mcp:users']],
    [
      ['approve:invoices'],
      ['*:invoices', 'approve:invoices/2026'],
      ['*:invoices', 'approve:invoices/2026'],
    ],
    [['*:invoices'], ['approve:invoices', 'read:invoices', '*:invoices'], []],
    [['read:*'], ['read:invoices/2026', 'read:a:b', 'approve:invoices'], ['approve:invoices']],
    // None of them is a permission of the service.
    [
      [
        'admin:*',
        'frobnicate:users',
        '*:users/x',
        'read:users:x',
        '*:users:x',
        'read:user',
        'read.users:*',
      ],
      ['read:users', 'write:users', 'delete:users', '*:users', '*:*', 'write:logins'],
      ['read:users', 'write:users', 'delete:users', '*:users', '*:*', 'write:logins'],
    ],
    [
      ['*:*:all', 'Mcp:*', '*:Users', '*:us*rs', '*'],
      ['read:users', 'mcp:tools', 'tools'],
      ['read:users', 'mcp:tools', 'tools'],
    ],
    [
      ['*:*'],
      ['tools', 'Files.Read', 'frobnicate:users'],
      ['tools', 'Files.Read', 'frobnicate:users'],
    ],
  ];
  for (const [granted, needed, missing] of cases) {
    test(`A grant of ${JSON.stringify(granted)} lacks exactly the expected scopes of ${JSON.stringify(needed)}`, () => {
      assert.deepEqual(missingScopes(granted, needed), missing);
    });
  }

  test('The missing scopes obey the same laws for all granted and required scopes', () => {
    const random = seededRandom();
    const actions = ['read', 'write', 'delete', '*'];
    const resources = ['users', 'roles', 'keys', '*'];
    const pickFrom = (list: readonly string[]) => list[random.between(0, list.length)] ?? '';
    const randomScopes = () =>
      Array.from(
        { length: random.between(0, 4) },
        () => `${pickFrom(actions)}:${pickFrom(resources)}`,
      );
    for (let round = 0; round < 5000; round += 1) {
      const [granted, needed, more] = [randomScopes(), randomScopes(), randomScopes()];
      const missing = missingScopes(granted, needed);
      const context = `seed ${random.seed}: ${JSON.stringify({ held: granted, needed, more })}`;
      // A scope is missing exactly if it is needed and no single held scope covers it.
      for (const scope of needed) {
        const [action, resource] = scope.split(':');
        const isCovered = granted.some((text) => {
          const [grantedAction, grantedResource] = text.split(':');
          return [action, '*'].includes(grantedAction) && [resource, '*'].includes(grantedResource);
        });
        assert.equal(missing.includes(scope), !isCovered, context);
      }
      // A caller lacks none of the scopes it holds; holding more never makes more missing; a caller that holds all of
      // `more` lacks nothing that `more` gives.
      assert.deepEqual(missingScopes(granted, granted), [], context);
      const withMore = missingScopes([...granted, ...more], needed);
      assert.ok(
        withMore.every((scope) => missing.includes(scope)),
        context,
      );
      if (missingScopes(granted, more).length === 0) {
        assert.ok(
          missing.every((scope) => missingScopes(more, [scope]).length > 0),
          context,
        );
      }
      assert.deepEqual(missingScopes(['*:*'], needed), [], context);
    }
  });
});

describe('the intersection of scopes', () => {
  const cases: readonly (readonly [one: string[], other: string[], both: string[]])[] = [
    [[], [], []],
    [['*:*'], [], []],
    [['read:users'], ['read:users'], ['read:users']],
    [['read:users'], ['write:users'], []],
    [['*:users'], ['read:*'], ['read:users']],
    [['*:*'], ['read:*', '*:users'], ['*:users', 'read:*']],
    [['*:*'], ['*:*'], ['*:*']],
    [['read:users', 'write:users'], ['*:users'], ['read:users', 'write:users']],
    [['read:*', 'read:users'], ['*:users'], ['read:users']],
    [
      ['tools', '*:*'],
      ['tools', 'read:users'],
      ['read:users', 'tools'],
    ],
    [['tools', 'Mcp:*', '*:*:all'], ['*:*'], []],
    [['mcp:tools', 'mcp:*'], ['*:*'], ['mcp:*']],
    [['approve:*'], ['*:users', '*:invoices'], ['approve:invoices']],
    [['*:a:b'], ['read:*', 'read:a'], ['read:a:b']],
    [['*:users', 'read:*'], ['read:users', 'delete:roles'], ['read:users']],
    [
      ['read:*', '*:users'],
      ['*:roles', 'write:*'],
      ['read:roles', 'write:users'],
    ],
  ];
  for (const [first, other, both] of cases) {
    test(`The scopes ${JSON.stringify(first)} and ${JSON.stringify(other)} have the expected intersection`, () => {
      assert.deepEqual(intersectScopes(first, other), both);
      assert.deepEqual(intersectScopes(other, first), both);
    });
  }

  test('The intersection of scopes is never wider than either side, and has everything that both grant, in any order', () => {
    const random = seededRandom();
    const randomScopes = () =>
      Array.from({ length: random.between(0, 5) }, () => pick(ALL_SCOPES, random));
    for (let round = 0; round < 5000; round += 1) {
      const [first, other, third] = [randomScopes(), randomScopes(), randomScopes()];
      const context = `seed ${random.seed}: ${JSON.stringify({ one: first, other, third })}`;
      const both = intersectScopes(first, other);
      assert.deepEqual(missingScopes(first, both), [], context);
      assert.deepEqual(missingScopes(other, both), [], context);
      // The intersection gives a scope exactly if each side gives it, including wildcards.
      for (const scope of ALL_SCOPES) {
        const byEach = [first, other].every((side) => missingScopes(side, [scope]).length === 0);
        assert.equal(missingScopes(both, [scope]).length === 0, byEach, `${scope} ${context}`);
      }
      // The order of the sides, the order within them, and which two are combined first do not matter.
      assert.deepEqual(intersectScopes(other, first), both, context);
      const shuffled = intersectScopes(random.shuffled(first), random.shuffled(other));
      assert.deepEqual(shuffled, both, context);
      const leftFirst = intersectScopes(both, third);
      assert.deepEqual(intersectScopes(first, intersectScopes(other, third)), leftFirst, context);
      // Intersecting again changes nothing, and the result has no redundant scopes.
      assert.deepEqual(intersectScopes(both, other), both, context);
      for (const scope of both) {
        const others = both.filter((another) => another !== scope);
        assert.deepEqual(missingScopes(others, [scope]), [scope], context);
      }
    }
  });
});

const ALL_SCOPES = ['read', 'approve', 'delete', '*'].flatMap((action) =>
  ['invoices', 'files/a:b', 'keys/x', '*'].map((resource) => `${action}:${resource}`),
);

function pick(list: readonly string[], random: Random): string {
  return list[random.between(0, list.length)] ?? '';
}
