import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordsOf } from './reader.ts';
import { ExportProblem, type Found, RecordProblem } from './source.ts';

const ANY = { form: 'any' } as const;
const USERS = { form: 'any', within: 'users' } as const;

async function read(pieces: readonly string[], source: Parameters<typeof recordsOf>[1] = ANY) {
  const found: [number, unknown][] = [];
  for await (const { at, record } of recordsOf(generate(pieces), source)) {
    found.push([at, shown(record)]);
  }
  return found;
}

async function* generate(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

function shown(record: Found['record']): unknown {
  return record instanceof RecordProblem ? record.message : record;
}

/** The first piece determines the format, so it contains a whole line; the other pieces are at most `size` long. */
function inPieces(text: string, size: number): string[] {
  const first = text.indexOf('\n') + 1;
  const rest = text.slice(first).match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return [text.slice(0, first), ...rest];
}

const CSV =
  'email,note,plan\r\nada@example.com,"says ""hi"", twice\r\nand leaves",\r\n\r\n,"",team\r\n';
const OF_CSV = [
  [2, { email: 'ada@example.com', note: 'says "hi", twice\r\nand leaves' }],
  [4, { plan: 'team' }],
];
const LINES = '{"email":"ada@example.com"}\n\nnonsense\n[1]\n{"email":"grace@example.com"}';
const OF_LINES = [
  [1, { email: 'ada@example.com' }],
  [3, 'is not a JSON object'],
  [4, 'is not a JSON object'],
  [5, { email: 'grace@example.com' }],
];
const LIST =
  '{ "realm":\n "a \\"users\\": [", "roles": [{"users": [1]}], "users" : [ {"a": {"b": "]},{"}}, "no", 7, {"c": [1, {}]} ], "x": [2] }';
const OF_LIST = [
  [1, { a: { b: ']},{' } }],
  [2, 'is not a JSON object'],
  [3, 'is not a JSON object'],
  [4, { c: [1, {}] }],
];

describe('an export of users', () => {
  const cases = {
    'as CSV': [CSV, OF_CSV, ANY],
    'as JSON lines': [LINES, OF_LINES, ANY],
    'as a JSON list within an object': [LIST, OF_LIST, USERS],
  } as const;
  for (const [name, [text, expected, source]] of Object.entries(cases)) {
    it(`${name} gives the same records in whatever pieces it is read`, async () => {
      assert.deepEqual(await read([text], source), expected);
      for (const size of [1, 2, 3, 7, 64]) {
        assert.deepEqual(await read(inPieces(text, size), source), expected, `of ${size}`);
      }
    });
  }

  it('An export of users can start with a byte order mark, and can be a list without an enclosing object', async () => {
    const expected = [[1, { a: 1 }]];
    assert.deepEqual(await read(['\uFEFF[\n{"a": 1}]']), expected);
    assert.deepEqual(await read(['\uFEFF{"a": 1}\n']), expected);
    assert.deepEqual(await read(['[]']), []);
    assert.deepEqual(await read([]), []);
  });

  it('A CSV export of users can be separated by semicolons or tabs, and can end without a line break', async () => {
    assert.deepEqual(await read(['a;b\n1;"2,3"']), [[2, { a: '1', b: '2,3' }]]);
    assert.deepEqual(await read(['a\tb\n1\t']), [[2, { a: '1' }]]);
  });

  it('An export of users that has another form, is cut off, or has a record without an end is refused', async () => {
    for (const text of ['{"realm": "acme"}', '[{"a": 1}', '{"users": {}}']) {
      await assert.rejects(read([text], USERS), ExportProblem, text);
    }
    const endless = Array.from({ length: 40 }, () => 'x'.repeat(64 * 1024));
    await assert.rejects(read(['a,b\n"', ...endless]), ExportProblem);
    await assert.rejects(read(['{"a": 1}\n', ...endless]), ExportProblem);
    await assert.rejects(read(['[\n"', ...endless]), ExportProblem);
  });
});
