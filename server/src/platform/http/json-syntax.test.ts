import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '@keywright/tests/harness/random';
import { syntaxErrorIn } from './json.ts';

describe('the place of a syntax error in JSON', () => {
  const WRONG: readonly (readonly [text: string, line: number, column: number])[] = [
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ["{'a': 1}", 1, 2],
    ['{a: 1}', 1, 2],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['[1, 2,, 3]', 1, 7],
    ['[1, 2', 1, 6],
    ['{"a": "text', 1, 12],
    ['{"a": "line\nbreak"}', 1, 12],
    ['{"a": "\\x"}', 1, 8],
    ['{"a": 01}', 1, 8],
    ['{"a": .5}', 1, 7],
    ['{"a": tru}', 1, 7],
    ['{"a": NaN}', 1, 7],
    ['{} {}', 1, 4],
    ['{"a": 1} // comment', 1, 10],
    ['', 1, 1],
    ['secret=1&identifier=a', 1, 1],
  ];
  for (const [text, line, column] of WRONG) {
    test(`The syntax error is found at line ${line}, column ${column} of ${JSON.stringify(text)}`, () => {
      assert.throws(() => JSON.parse(text));
      assert.deepEqual(
        { ...syntaxErrorIn(text), isEnd: undefined },
        { line, column, isEnd: undefined },
      );
    });
  }

  test('The syntax error of a JSON text that is cut off is found at its end', () => {
    const text = '{"a": ["b", {"c": -1.5e+3, "d": "\\u00e9"}], "e": null}';
    for (let length = 1; length < text.length; length += 1) {
      const place = syntaxErrorIn(text.slice(0, length));
      // Within a number, an escape or a word, the error is at its start.
      assert.ok(place.isEnd || length - place.column < 6, text.slice(0, length));
    }
  });

  test('The position of a syntax error is the end of a text that JSON.parse accepts, and no later than where it stops in any other', () => {
    const random = seededRandom();
    const valid = '{"a": [1, -2.5e3, "b\\n", {"c": true}], "d": null, "e": {}, "f": []}';
    for (let round = 0; round < 2000; round += 1) {
      const at = random.between(0, valid.length);
      const inserted = '{}[]:,"\\ 1e-.tx'[random.between(0, 16)];
      const text = `${valid.slice(0, at)}${inserted}${valid.slice(at + random.between(0, 2))}`;
      const { column, isEnd } = syntaxErrorIn(text);
      const stop = stopOf(text);
      if (stop === undefined) assert.ok(isEnd, text);
      else if (stop !== 'unknown') assert.ok(column - 1 <= stop, `${text} seed ${random.seed}`);
    }
  });
});

/** The position that JSON.parse reports, which it does for some errors only; undefined if it accepts the text. */
function stopOf(text: string): number | 'unknown' | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    return position === undefined ? 'unknown' : Number(position);
  }
}
