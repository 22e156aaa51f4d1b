import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSample } from './sample.ts';

const NAMES = ['ada', 'alan', 'grace', 'edsger'];
const identifiers = Array.from(
  { length: 400 },
  (_, n) =>
    `${NAMES[n % NAMES.length]}.${1000 + n}@${n % 2 === 0 ? 'mail' : `corp-${n}`}.example.com`,
);

describe('a sample of identifiers', () => {
  const sample = createSample(identifiers);

  test('tells the share of those that have a part', () => {
    assert.equal(sample.size, 400);
    assert.equal(sample.shareWith('grace'), 0.25);
    assert.equal(sample.shareWith('@mail'), 0.5);
    assert.equal(sample.shareWith('nobody'), 0);
    assert.equal(createSample([]).shareWith('a'), 0);
  });

  const rare = {
    'grace.1042@mail.example.com': '.1042@',
    '@corp-213.example.com': '-213.',
    'grace@mail.example.com': 'grac',
    'babbage@example.com': 'babb',
    'hedger@example.com': 'hedg',
    'alanturing@example.com': 'antu',
    '\u{1f511}1001@': '\u{1f511}1001@',
    // Too short to be looked up by anything but the whole.
    'a.b@': 'a.b@',
  };
  for (const [part, found] of Object.entries(rare)) {
    test(`has ${part} looked up by ${found}`, () => {
      assert.equal(sample.rareIn(part), found);
      assert.ok(part.includes(found));
    });
  }
});
