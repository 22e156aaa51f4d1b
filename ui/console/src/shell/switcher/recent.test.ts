import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recentOf, withLatest } from './recent.ts';

const named = (...ids: string[]) => ids.map((id) => ({ id, name: id.toUpperCase() }));

describe('the recent tenants', () => {
  test('The recent tenants start with the latest, list each once, and are five at most', () => {
    const five = named('org_a', 'org_b', 'org_c', 'org_d', 'org_e');
    const [again] = named('org_c');
    const [other] = named('org_f');
    assert.ok(again && other);
    assert.deepEqual(
      withLatest(five, again).map(({ id }) => id),
      ['org_c', 'org_a', 'org_b', 'org_d', 'org_e'],
    );
    assert.deepEqual(
      withLatest(five, other).map(({ id }) => id),
      ['org_f', 'org_a', 'org_b', 'org_c', 'org_d'],
    );
    assert.equal(withLatest(five, { id: 'org_a', name: 'Renamed' })[0]?.name, 'Renamed');
  });

  test('The recent tenants are empty where the stored value is invalid', () => {
    for (const stored of [undefined, '', 'no JSON', '7', '{}', '[1, null, {"id": "org_a"}]']) {
      assert.deepEqual(recentOf(stored), [], String(stored));
    }
    const strange = [{ id: '../x', name: 'x' }, { id: 'org_a/b', name: 'x' }, ...named('org_good')];
    assert.deepEqual(recentOf(JSON.stringify(strange)), named('org_good'));
  });
});
