import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { exampleOf } from './example.ts';

describe('the example of a schema', () => {
  test('The example of a schema is composed of the examples of its fields, unless it has its own', () => {
    const name = Type.String({ examples: ['Ada'] });
    const person = Type.Object({
      name,
      born: Type.Union([Type.Integer({ examples: [1815] }), Type.Null()]),
      died: Type.Union([Type.Integer(), Type.Null()], { examples: [null] }),
      tags: Type.Optional(Type.Array(name)),
      kind: Type.Literal('person'),
    });
    const made = { name: 'Ada', born: 1815, died: null, tags: ['Ada'], kind: 'person' };
    assert.deepEqual(exampleOf(person), made);
    assert.deepEqual(exampleOf({ ...person, examples: [{ name: 'Bob' }] }), { name: 'Bob' });
  });

  test('The example of a schema cannot be made if a string or number has none, and the error says where', () => {
    const list = Type.Object({ items: Type.Array(Type.Object({ name: Type.String() })) });
    assert.throws(() => exampleOf(list), /\.items\[\]\.name has no example/);
  });
});
