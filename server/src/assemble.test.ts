import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assemble } from './assemble.ts';
import { type Core, defineModule, type Module } from './tenancy/module.ts';

/** The tests do not use it. */
const CORE = {} as Core;

const clockModule = defineModule('clock', () => ({ offer: { hour: 12 } }));
const bellModule = defineModule('bell', (_core, use) => {
  const { hour } = use(clockModule);
  return { offer: { strokes: () => hour } };
});

describe('modules', () => {
  test('A module gets its dependencies, in whatever order the modules are listed', () => {
    for (const listed of [
      [bellModule, clockModule],
      [clockModule, bellModule],
    ]) {
      assert.equal(assemble(listed, CORE).use(bellModule).strokes(), 12);
    }
  });

  test('A module is created once, however many use it', () => {
    let created = 0;
    const counted = defineModule('counted', () => ({ offer: (created += 1) }));
    const users = ['one', 'other'].map((name) =>
      defineModule(name, (_core, use) => ({ offer: use(counted) })),
    );
    const { use } = assemble([...users, counted], CORE);
    assert.deepEqual(users.map(use), [1, 1]);
  });

  test('A circular dependency of modules is rejected', () => {
    const first: Module = defineModule('one', (_core, use) => ({ offer: use(other) }));
    const other: Module = defineModule('other', (_core, use) => ({ offer: use(first) }));
    assert.throws(() => assemble([first, other], CORE), /module one depends on itself/);
  });

  test('A module that is used but not listed is rejected', () => {
    assert.throws(() => assemble([bellModule], CORE), /module clock is not listed/);
  });
});
