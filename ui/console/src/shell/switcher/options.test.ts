import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { activeAfter, optionsOf } from './options.ts';

const named = (...ids: string[]) => ids.map((id) => ({ id, name: id }));

describe('the options of the switcher', () => {
  test('The tenant switcher lists the recent tenants first, each once', () => {
    const options = optionsOf('', named('org_b'), named('org_a', 'org_b'));
    assert.deepEqual(options, named('org_b', 'org_a'));
  });

  test('The tenant switcher lists what a search found', () => {
    assert.deepEqual(optionsOf('a', named('org_b'), named('org_a')), named('org_a'));
  });

  test('The arrow keys move through the options of the tenant switcher in a circle', () => {
    assert.deepEqual(
      [
        activeAfter('ArrowDown', 2, 3),
        activeAfter('ArrowUp', 0, 3),
        activeAfter('ArrowDown', 0, 3),
      ],
      [0, 2, 1],
    );
    assert.equal(activeAfter('Enter', 0, 3), undefined);
    assert.equal(activeAfter('ArrowDown', 0, 0), undefined);
  });
});
