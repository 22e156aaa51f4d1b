import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_METADATA_BYTES, UserRecord } from '@keywright/contract/records/user';
import { faultOf, placeOf } from './json-fault.ts';
import {
  differencesOf,
  MOST_BYTES,
  MOST_LEVELS,
  readJson,
  readMetadata,
  withField,
  withoutField,
} from './rules.ts';

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a fault of JSON', () => {
  it('A JSON fault is at the first wrong character, or where the text ends too early', () => {
    const FAULTS: readonly (readonly [text: string, kind: string, at: number, what: string])[] = [
      ['', 'end', 0, ''],
      ['{"a":1', 'end', 6, ''],
      ['{"a":1,}', 'unexpected', 7, '}'],
      ["{'a':1}", 'unexpected', 1, "'"],
      ['{"a" 1}', 'unexpected', 5, '1'],
      ['{"a":tru}', 'unexpected', 5, 't'],
      ['[1 2]', 'unexpected', 3, '2'],
      ['01', 'unexpected', 1, '1'],
      ['{} x', 'unexpected', 3, 'x'],
      ['"a\nb"', 'unexpected', 2, '\n'],
      [String.raw`"a\x"`, 'unexpected', 2, '\\'],
      ['{"a":1,"b":{"a":1},"a":2}', 'twice', 19, 'a'],
      [String.raw`{"a":1,"\u0061":2}`, 'twice', 7, 'a'],
      ['{"😀":😀}', 'unexpected', 6, '😀'],
    ];
    for (const [text, kind, at, what] of FAULTS) {
      assert.deepEqual(faultOf(text, 32), { kind, at, what }, text);
    }
  });

  it('A JSON fault is found exactly when JSON.parse finds one, whatever is done to a text', () => {
    const whole = String.raw`{"a": [1, -2.5e+3, true, null, "x\u0041\n😀"], "b": {"c": {}, "d": []}, "e": ""}`;
    const pieces = [
      '',
      '"',
      '\\',
      ',',
      ':',
      '{',
      '}',
      '[',
      ']',
      '0',
      '-',
      '.',
      'e',
      ' ',
      '\n',
      '\u0001',
      '\u00a0',
      '\u0085',
      'é',
    ];
    let wrong = 0;
    for (let at = 0; at <= whole.length; at += 1) {
      for (const piece of pieces) {
        for (const gone of [0, 1, 3]) {
          const text = whole.slice(0, at) + piece + whole.slice(at + gone);
          const fault = faultOf(text, 32);
          if (fault) wrong += 1;
          // JSON.parse accepts duplicate fields.
          if (fault?.kind !== 'twice') assert.equal(fault === undefined, isJson(text), text);
        }
      }
    }
    assert.ok(wrong > 1000);
    assert.equal(faultOf(whole, 32), undefined);
  });

  it('A JSON text with too many levels has a fault, however many there are', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    assert.equal(faultOf(nested(32), 32), undefined);
    assert.equal(faultOf(nested(33), 32)?.kind, 'deep');
    assert.equal(faultOf('['.repeat(1_000_000), 32)?.at, 32);
    assert.equal('flaw' in readJson(nested(32), 1), true);
    assert.equal('flaw' in readJson(nested(31), 1), false);
  });

  it('A JSON fault has a line and a column, which count characters', () => {
    assert.deepEqual(placeOf('{}', 0), { line: 1, column: 1 });
    assert.deepEqual(placeOf('{\n  "😀": x', 9), { line: 2, column: 7 });
  });
});

describe('metadata', () => {
  it('The metadata rules have the limits of the contract', () => {
    assert.equal(MOST_BYTES, MAX_METADATA_BYTES);
    const description = JSON.stringify(UserRecord.properties.metadata);
    assert.ok(description.includes(`${MOST_BYTES / 1024} KiB`));
    assert.ok(description.includes(`${MOST_LEVELS} levels`));
  });

  it('The metadata must be an object within the size limit as JSON without spaces', () => {
    for (const text of ['[]', '1', 'null', '"a"']) {
      assert.deepEqual(readMetadata(text), { flaw: { kind: 'object' } }, text);
    }
    const ofBytes = (bytes: number) => JSON.stringify({ a: 'é'.repeat((bytes - 8) / 2) });
    assert.ok('value' in readMetadata(`${ofBytes(MOST_BYTES)}     `));
    assert.deepEqual(readMetadata(ofBytes(MOST_BYTES + 2)), { flaw: { kind: 'large' } });
  });

  it('The metadata differs by field, whatever the order of what is within', () => {
    const metadata = { a: { x: 1, y: [1, 2] }, b: 1, c: null };
    assert.deepEqual(differencesOf(metadata, { c: null, b: 1, a: { y: [1, 2], x: 1 } }), []);
    assert.deepEqual(differencesOf(metadata, { a: { x: 1, y: [2, 1] }, d: 1, c: null }), [
      'a',
      'b',
      'd',
    ]);
    assert.deepEqual(differencesOf({ a: null }, {}), ['a']);
    assert.deepEqual(differencesOf({}, JSON.parse('{"constructor":1,"__proto__":2}')), [
      '__proto__',
      'constructor',
    ]);
  });

  it('The metadata is changed by one field, even by one that all objects inherit', () => {
    assert.deepEqual(withField({ a: 1, b: 2 }, 'a', 3), { a: 3, b: 2 });
    assert.deepEqual(withoutField({ a: 1, b: 2 }, 'a'), { b: 2 });
    const odd = withField({}, '__proto__', { a: 1 });
    assert.equal(JSON.stringify(odd), '{"__proto__":{"a":1}}');
    assert.equal(JSON.stringify(withoutField(odd, 'a')), '{"__proto__":{"a":1}}');
  });
});
