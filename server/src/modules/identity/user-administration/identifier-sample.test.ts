import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IdentifierSample } from './user-samples.ts';

const NAMES = ['ada', 'alan', 'grace', 'edsger'];
const identifiers = Array.from(
  { length: 400 },
  (_, n) =>
    `${NAMES[n % NAMES.length]}.${1000 + n}@${n % 2 === 0 ? 'mail' : `corp-${n}`}.example.com`,
);

describe('a sample of identifiers', () => {
  const sample = new IdentifierSample(identifiers);

  test('A sample of identifiers estimates the share that contains a part', () => {
    assert.equal(sample.size, 400);
    assert.equal(sample.shareWith('grace'), 0.25);
    assert.equal(sample.shareWith('@mail'), 0.5);
    assert.equal(sample.shareWith('unknown'), 0);
    assert.equal(new IdentifierSample([]).shareWith('a'), 0);
  });

  const pieces = {
    'grace.1042@mail.example.com': ['.1042@'],
    '@corp-213.example.com': ['-213.'],
    // Short, but a whole word in the index on parts.
    '@corp-7.example.com': ['-7.'],
    'corp-7': ['corp'],
    // Enough digits to be rare without the surrounding characters.
    '.104213@': ['104213'],
    '1042131042': ['10421310'],
    'grace@mail.example.com': ['grac'],
    'babbage@example.com': ['babb'],
    'hedger@example.com': ['hedg'],
    'alanturing@example.com': ['antu'],
    '\u{1f511}1001@': ['\u{1f511}1001@'],
    // Too short to be looked up by anything but the whole term.
    'a.b@': ['a.b@'],
  };
  for (const [part, found] of Object.entries(pieces)) {
    test(`A sample of identifiers makes a search for ${part} use ${found.join(' and ')}`, () => {
      assert.deepEqual(sample.piecesOf(part), found);
      for (const piece of found) assert.ok(part.includes(piece));
    });
  }
});

describe('a sample of users with many identifiers', () => {
  const FIRST = 'ada alan anna barbara carl dorothy edsger emmy frances grace hedy ida'.split(' ');
  const LAST =
    'backus chandra dijkstra floyd hopper knuth lamport liskov lovelace noether turing wirth'.split(
      ' ',
    );
  const people = Array.from({ length: 1440 }, (_, n) => {
    const last = LAST[Math.floor(n / FIRST.length) % LAST.length];
    return `${FIRST[n % FIRST.length]}.${last}.${20_000 + n}@mail.example`;
  });
  const sample = new IdentifierSample(people);

  const pieces = {
    'each of two words that many have': ['carl.lovelace', ['love', 'carl']],
    'a word of which all have the other one': ['lovelace@mail.example', ['love']],
    'a number that hardly any user has, alone': ['carl.lovelace.20712@mail.example', ['20712']],
  } as const;
  for (const [what, [part, found]] of Object.entries(pieces)) {
    test(`A sample of users with many identifiers makes a search use ${what}`, () => {
      assert.deepEqual(sample.piecesOf(part), found);
    });
  }
});
