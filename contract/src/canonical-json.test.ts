import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, inCanonicalOrder } from './canonical-json.ts';

test('The canonical JSON matches the RFC 8785 examples of numbers, escapes and literals (section 3.2.2)', () => {
  const input = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`) as unknown;
  assert.equal(
    canonicalJson(input),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('The canonical JSON has its keys sorted by UTF-16 code units, at every depth (section 3.2.3)', () => {
  const input = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': { b: [{ d: 1, c: 2 }], a: {} },
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  assert.deepEqual(
    Object.keys(JSON.parse(canonicalJson(input)) as object).toSorted(),
    sorted.toSorted(),
  );
  const places = sorted.map((key) => canonicalJson(input).indexOf(`${JSON.stringify(key)}:`));
  assert.deepEqual(
    places,
    places.toSorted((place, other) => place - other),
  );
  assert.ok(canonicalJson(input).includes('"1":{"a":{},"b":[{"c":2,"d":1}]}'));
});

test('Values are put in the key order of canonical JSON, and sorted values remain the same objects', () => {
  const input = { name: 'x', id: [{ zip: 1, city: { b: [], a: null } }], sorted: { a: 1, b: 2 } };
  const ordered = inCanonicalOrder(input);
  assert.deepEqual(ordered, input);
  assert.equal(JSON.stringify(ordered), canonicalJson(input));
  assert.equal(inCanonicalOrder(ordered), ordered);
});

test('The canonical JSON omits what JSON omits', () => {
  assert.equal(canonicalJson({ a: undefined, b: -0 }), '{"b":0}');
});

test('The canonical JSON of an object with sorted keys is the same as in any other order', () => {
  const list = [{ a: 1, b: undefined }, null, undefined, new Date(0)];
  const sorted = {
    a: { a: 'ä', b: list },
    b: true,
    c: undefined,
    d: { toJSON: () => ({ b: 1, a: 2 }) },
  };
  const text =
    '{"a":{"a":"ä","b":[{"a":1},null,null,"1970-01-01T00:00:00.000Z"]},"b":true,"d":{"a":2,"b":1}}';
  assert.equal(canonicalJson(sorted), text);
  const { a, ...rest } = sorted;
  assert.equal(canonicalJson({ ...rest, a: { b: a.b, a: a.a } }), text);
});

test('The canonical JSON of an object with sorted keys has its members sorted as well', () => {
  assert.equal(
    canonicalJson({ a: { c: 1, b: [{ e: 1, d: 2 }] } }),
    '{"a":{"b":[{"d":2,"e":1}],"c":1}}',
  );
  assert.equal(canonicalJson([{ b: 1, a: 2 }]), '[{"a":2,"b":1}]');
  assert.equal(canonicalJson({ '2': 1, '10': 2 }), '{"10":2,"2":1}');
});
