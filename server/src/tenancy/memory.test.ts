import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Remembered, TenantMemory } from './memory.ts';

const answer = (text: string, tenantId: string): Remembered => ({
  value: { text },
  tenantId,
  turn: 0,
  at: 0,
});

describe('what is remembered of tenants', () => {
  test('is found by tenant and kind, whichever came first', () => {
    const memory = new TenantMemory(100);
    const kinds = ['settings', 'keys', 'more'].map((name) => ({ name, shelf: memory.shelf() }));
    const ids = ['org_a', 'org_b'];
    for (const [turn, id] of ids.entries()) {
      const order = turn === 0 ? kinds : kinds.toReversed();
      for (const { name, shelf } of order) shelf.put(id, answer(`${name} of ${id}`, id));
    }
    for (const id of ids) {
      for (const { name, shelf } of kinds) {
        assert.deepEqual(shelf.find(id)?.value, { text: `${name} of ${id}` });
      }
    }
  });

  test('gives way to what is put in its place, and leaves the other kinds alone', () => {
    const memory = new TenantMemory(100);
    const [first, second, third] = [memory.shelf(), memory.shelf(), memory.shelf()];
    for (const shelf of [first, second, third]) shelf.put('org_a', answer('old', 'org_a'));
    second.put('org_a', answer('new', 'org_a'));
    third.clear('org_a');
    const found = [first, second, third].map((shelf) => shelf.find('org_a')?.value);
    assert.deepEqual(found, [{ text: 'old' }, { text: 'new' }, undefined]);
    first.clear('org_a');
    second.clear('org_a');
    assert.equal(second.find('org_a'), undefined);
  });

  test('is of so many tenants at the most, of which the busy ones stay', () => {
    const memory = new TenantMemory(10);
    const [settings, keys] = [memory.shelf(), memory.shelf()];
    settings.put('org_busy', answer('busy', 'org_busy'));
    for (let number = 0; number < 100; number += 1) {
      for (const shelf of [settings, keys]) shelf.put(`org_${number}`, answer('', `org_${number}`));
      assert.ok(settings.find('org_busy'));
    }
    const kept = Array.from({ length: 100 }, (_, number) => keys.find(`org_${number}`));
    assert.ok(kept.filter((one) => one !== undefined).length <= 10);
    assert.ok(kept.slice(-4).every((one) => one !== undefined));
  });
});
