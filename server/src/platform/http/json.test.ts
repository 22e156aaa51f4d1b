import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError } from '@keywright/contract/errors';
import { readForm } from './content.ts';
import { MAX_DEPTH, MAX_MEMBERS, MAX_VALUES, readJson } from './json.ts';

function refusal(bytes: Buffer | string): string {
  try {
    readJson(Buffer.from(bytes as string));
  } catch (error) {
    assert.ok(error instanceof AppError);
    return `${error.code} ${error.options.errors?.[0]?.path ?? ''}`.trim();
  }
  return 'taken';
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objectOf = (members: number) =>
  `{${Array.from({ length: members }, (_, at) => `"${at}":1`).join(',')}}`;
const listOf = (values: number) => `[${Array.from({ length: values }, () => '1').join(',')}]`;

describe('JSON is parsed', () => {
  const texts = [
    'null',
    '"a"',
    '1e3',
    '[]',
    '{}',
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"\\"":1,"\\\\":2,"":3,":":4,",":5,"{":6}',
    '{"a":"\\\\\\"}","b":"\\\\"}',
    '{"1":1,"01":2," 1":3}',
    '{"a":"\\ud83d\\udd11","b":"\u{1f511}","c":"\\\\ud800"}',
    nested(MAX_DEPTH),
    listOf(MAX_VALUES),
    objectOf(MAX_MEMBERS),
  ];
  for (const text of texts) {
    test(text.slice(0, 60), () => assert.deepEqual(readJson(Buffer.from(text)), JSON.parse(text)));
  }

  test('JSON behind a byte order mark is parsed', () =>
    assert.equal(readJson(Buffer.from('\ufeff1')), 1));
});

describe('JSON is rejected', () => {
  const texts: Readonly<Record<string, readonly [string | Buffer, string]>> = {
    'with a key twice': ['{"a":1,"a":1}', 'JSON_INVALID'],
    'with a key twice that is empty': ['{"":1,"":1}', 'JSON_INVALID'],
    'with a key twice that is a number': ['{"1":1,"1":1}', 'JSON_INVALID'],
    'with a key twice, once escaped': ['{"a":1,"\\u0061":1}', 'JSON_INVALID'],
    'with a key twice, in a list of objects': ['[1,[{"b":{"c":1,"c":2}}]]', 'JSON_INVALID'],
    'with a colon too many': ['{"a"::1}', 'JSON_INVALID'],
    'that ends within a string': ['{"a', 'JSON_INVALID'],
    'that ends behind a backslash': ['"\\', 'JSON_INVALID'],
    'in Latin-1': [Buffer.from([0x22, 0xe4, 0x22]), 'JSON_INVALID'],
    'in UTF-16': [Buffer.from('{}', 'utf16le'), 'JSON_INVALID'],
    'with a high surrogate': ['{"a":["\\uD800"]}', 'VALIDATION_FAILED /a/0'],
    'with a low surrogate': ['{"a":{"b":"x\\udfffx"}}', 'VALIDATION_FAILED /a/b'],
    'with a surrogate in a key': ['{"a":{"\\udc00":1}}', 'VALIDATION_FAILED /a'],
    'nested too deeply': [nested(MAX_DEPTH + 1), 'VALIDATION_FAILED'],
    'nested too deeply in a field': [`{"ab":1,"c":${nested(MAX_DEPTH)}}`, 'VALIDATION_FAILED /c'],
    'with too many values': [listOf(MAX_VALUES + 1), 'VALIDATION_FAILED'],
    'with too many members': [objectOf(MAX_MEMBERS + 1), 'VALIDATION_FAILED'],
    'with too many members in several objects': [
      `[${objectOf(MAX_MEMBERS / 2)},${objectOf(MAX_MEMBERS / 2 + 1)}]`,
      'VALIDATION_FAILED',
    ],
    'with too many lists': [`[${'[],'.repeat(MAX_VALUES / 2)}[]]`, 'VALIDATION_FAILED'],
  };
  for (const [how, [text, answer]] of Object.entries(texts)) {
    test(how, () => assert.equal(refusal(text), answer));
  }
});

describe('a form', () => {
  test('The fields of a form are decoded as UTF-8', () => {
    const form = 'a=%C3%A4+b&b=ä&c=1&c=2&d=';
    assert.deepEqual(readForm(Buffer.from(form)), { a: 'ä b', b: 'ä', c: ['1', '2'] });
  });

  test('The fields of a form are the same as URLSearchParams reads, except those without a value', () => {
    const form =
      'a%3D=%26+%2B+=&&b&=c&d=1&d=&d=2&d=%33&e=%00&__proto__=1&__proto__=2&constructor=x';
    const fields = readForm(Buffer.from(form));
    const read = new URLSearchParams(form);
    for (const name of new Set(read.keys())) {
      const values = read.getAll(name).filter((value) => value !== '');
      assert.deepEqual([Object.hasOwn(fields, name) ? fields[name] : []].flat(), values, name);
    }
    assert.equal(Object.keys(fields).length, 6);
    assert.equal(Object.getPrototypeOf(fields), Object.prototype);
    assert.deepEqual(readForm(Buffer.from('?a=1')), { '?a': '1' });
  });

  for (const form of [
    'a=%E4',
    'a=%ed%a0%80',
    '%ff=1',
    'a=%',
    'a=%g0',
    'a=%C3&b=%A4',
    '%ff',
    '%ff=',
  ]) {
    test(`A form with ${form} is rejected as malformed`, () => {
      assert.throws(() => readForm(Buffer.from(form)), { code: 'REQUEST_MALFORMED' });
    });
  }

  test('A form with bytes that are not UTF-8 is rejected as malformed', () => {
    assert.throws(() => readForm(Buffer.from('a=\xe4', 'latin1')), { code: 'REQUEST_MALFORMED' });
  });

  test('A form with more than a hundred fields is rejected, also if they are empty', () => {
    assert.deepEqual(readForm(Buffer.from(`a=1${'&'.repeat(99)}`)), { a: '1' });
    assert.throws(() => readForm(Buffer.from(`a=1${'&'.repeat(100)}`)), {
      code: 'VALIDATION_FAILED',
    });
  });
});
