import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError, type FieldError } from '@keywright/contract/errors';
import { closed } from '@keywright/contract/shape';
import Type, { type TSchema } from 'typebox';
import { validator } from './validation.ts';

const schema = closed({
  name: Type.String({ minLength: 2 }),
  age: Type.Optional(Type.Integer({ minimum: 0 })),
  list: Type.Optional(Type.Array(closed({ key: Type.String() }))),
});

function checked(data: unknown, isQuery = false, by: TSchema = schema): unknown {
  const outcome = validator(by, isQuery)(data);
  return 'value' in outcome ? outcome.value : errorsOf(outcome.error);
}

function errorsOf(error: Error): readonly FieldError[] {
  assert.ok(error instanceof AppError);
  assert.equal(error.code, 'VALIDATION_FAILED');
  return error.options.errors ?? [];
}

function pathsOf(data: unknown, isQuery = false): string[] {
  const errors = checked(data, isQuery) as FieldError[];
  return errors.map((error) => error.path).toSorted();
}

describe('a valid value', () => {
  test('A valid value is passed on unchanged: nothing is removed, defaulted or coerced', () => {
    const value = { name: 'Ada', list: [{ key: 'a' }] };
    assert.equal(checked(value), value);
    assert.deepEqual(value, { name: 'Ada', list: [{ key: 'a' }] });
  });
});

describe('an invalid value', () => {
  test('An invalid value is rejected with all its errors and their paths together', () => {
    const wrong = { name: 'A', age: -1, list: [{ key: 'a' }, { key: 1, value: 2 }], color: 'red' };
    assert.deepEqual(pathsOf(wrong), ['/age', '/color', '/list/1/key', '/list/1/value', '/name']);
  });

  test('The validation errors name each missing field, even in nested objects', () => {
    assert.deepEqual(checked({ list: [{}] }), [
      { path: '/name', message: 'is required' },
      { path: '/list/0/key', message: 'is required' },
    ]);
  });

  test('The validation errors name each unknown field once', () => {
    assert.deepEqual(checked({ name: 'Ada', color: 'red', size: 1 }), [
      { path: '/color', message: 'is not a known field' },
      { path: '/size', message: 'is not a known field' },
    ]);
  });

  test('A validation error suggests the field whose name was misspelled', () => {
    const [error] = checked({ nmae: 'Ada', name: 'Ada' }) as FieldError[];
    assert.deepEqual(error, {
      path: '/nmae',
      message: 'is not a known field. Did you mean "name"?',
    });
  });

  test('A validation error says where a field that was sent outside its object belongs', () => {
    const tenant = closed({ config: Type.Optional(closed({ timeout: Type.Integer() })) });
    assert.deepEqual(checked({ timeout: 60 }, false, tenant), [
      { path: '/timeout', message: 'is a field of config: send it there' },
    ]);
  });

  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    test(`A value with a field named ${name} is rejected`, () => {
      const value: unknown = JSON.parse(`{"name":"Ada","${name}":{"polluted":true}}`);
      assert.deepEqual(pathsOf(value), [`/${name}`]);
      assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    });
  }

  for (const value of [null, [], 'text', 1, true, undefined]) {
    test(`A value that is ${JSON.stringify(value) ?? 'nothing'} instead of an object is rejected`, () => {
      assert.deepEqual([...new Set(pathsOf(value))], ['']);
    });
  }

  test('An invalid value is not coerced', () => {
    assert.deepEqual(pathsOf({ name: 'Ada', age: '7' }), ['/age']);
    assert.deepEqual(pathsOf({ name: 5 }), ['/name']);
  });

  test('The response to an invalid value is limited to 20 errors and paths of 120 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]));
    assert.equal(pathsOf({ name: 'Ada', ...many }).length, 20);
    const [path = ''] = pathsOf({ name: 'Ada', ['x'.repeat(100_000)]: 1 });
    assert.equal(path.length, 121);
  });
});

describe('a query', () => {
  test('The integers of a query are parsed', () => {
    assert.deepEqual(checked({ name: 'Ada', age: '7' }, true), { name: 'Ada', age: 7 });
    const query = { name: '12', age: '0' };
    assert.deepEqual(checked(query, true), { name: '12', age: 0 });
    assert.deepEqual(query, { name: '12', age: '0' }, 'what came in stays as it is');
  });

  for (const text of [
    '',
    ' 1',
    '1 ',
    '1.0',
    '1e3',
    '0x1',
    '+1',
    '1_000',
    'one',
    '９',
    '1'.repeat(31),
  ]) {
    test(`A query with ${JSON.stringify(text)} as an integer is rejected`, () => {
      assert.deepEqual(pathsOf({ name: 'Ada', age: text }, true), ['/age']);
    });
  }

  test('The bounds of an integer in a query are checked after parsing', () => {
    assert.deepEqual(pathsOf({ name: 'Ada', age: '-1' }, true), ['/age']);
  });

  test('A query with a repeated field is rejected', () => {
    assert.deepEqual(pathsOf({ name: 'Ada', age: ['1', '2'] }, true), ['/age']);
  });
});
