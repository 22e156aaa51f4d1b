import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { portable } from './openapi-schema.ts';

const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(portable(schema)));

describe('a schema in the OpenAPI document', () => {
  test('A nullable schema in the OpenAPI document has both types and its other keywords', () => {
    const schema = Type.Union([Type.String({ maxLength: 5 }), Type.Null()], { description: 'x' });
    assert.deepEqual(plain(schema), { maxLength: 5, type: ['string', 'null'], description: 'x' });
  });

  test('A nullable schema in the OpenAPI document that lists its values also lists null', () => {
    const schema = Type.Union([Type.Enum(['a', 'b']), Type.Null()]);
    assert.deepEqual(plain(schema), { type: ['string', 'null'], enum: ['a', 'b', null] });
  });

  test('A nullable schema in the OpenAPI document that is named keeps its name', () => {
    const named = Type.Object({}, { $id: 'Named' });
    assert.deepEqual(Object.keys(plain(Type.Union([named, Type.Null()])) as object), ['oneOf']);
  });

  test('A schema in the OpenAPI document has no union within a union', () => {
    const inner = Type.Union([Type.String(), Type.Integer()]);
    assert.deepEqual(plain(Type.Union([inner, Type.Boolean()])), {
      anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }],
    });
  });

  test('A schema in the OpenAPI document of keys with a pattern does not use patternProperties', () => {
    const schema = Type.Record(Type.String({ pattern: '^[a-z]$' }), Type.Integer());
    assert.deepEqual(plain(schema), {
      type: 'object',
      additionalProperties: { type: 'integer' },
      propertyNames: { pattern: '^[a-z]$' },
    });
  });

  test('A schema in the OpenAPI document with an enumeration also has a type', () => {
    assert.deepEqual(plain(Type.Enum(['a', 'b'])), { type: 'string', enum: ['a', 'b'] });
  });

  test('A schema in the OpenAPI document has equivalent patterns without Unicode classes', () => {
    const { pattern } = plain({ pattern: String.raw`^[^\p{Cc}\p{Cs}]*$` }) as { pattern: string };
    assert.doesNotMatch(pattern, /\\p\{/);
    for (const text of ['', 'Zoë Ω 😀 "x"']) assert.match(text, new RegExp(pattern, 'u'));
    for (const text of ['\0', '\n', '\x7f', '\x9f'])
      assert.doesNotMatch(text, new RegExp(pattern, 'u'));
  });
});
