import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERRORS } from '@keywright/contract/errors';
import { EXPECTS, EXPECTS_NAMES, type RequestSchema } from '@keywright/contract/expectation';
import { ROUTES } from '@keywright/contract/routes';
import { Compile } from '@keywright/server/platform/compile';
import { explain } from '@keywright/server/platform/http/explain';
import type { TSchema } from 'typebox';

/** Text for machines: patterns, and the vocabulary of JSON Schema. */
const FOR_MACHINES =
  /\\|\^|\$$|\[[^\]]*-[^\]]*\]|\(\?|\{\d|anyOf|oneOf|allOf|\bpattern\b|schema|constant|propert(y|ies)|\binteger\b|\bstring\b|boolean|minLength|maxLength|keyword|undefined|NaN|\[object/;

const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e21,
  '',
  'x',
  '\0',
  'ß ',
  'x'.repeat(9000),
  [],
  [1, 1],
  ['a', 'a'],
  Array.from({ length: 300 }, (_, index) => index),
  {},
  { surprise: 1 },
  { '\0': 1 },
  Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 1])),
];

interface Part {
  readonly name: string;
  readonly schema: RequestSchema;
}

/** A schema and all nested schemas. */
function partsOf(name: string, schema: RequestSchema): Part[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...Object.entries(schema.patternProperties ?? {}),
    ...(schema.anyOf ?? []).map((form, index) => [`form ${index}`, form] as const),
    ...(schema.items ? [['entry', schema.items] as const] : []),
  ];
  return [{ name, schema }, ...inner.flatMap(([at, nested]) => partsOf(`${name}/${at}`, nested))];
}

/** Choices can have the same names as types. */
function withoutChoices(message: string, { enum: choices = [] }: RequestSchema): string {
  return choices.length > 0 ? message.replace(choices.join(', '), '') : message;
}

const schemas: readonly Part[] = ROUTES.flatMap(({ id, params, query, body }) =>
  Object.entries({ params, query, body }).flatMap(([place, schema]) =>
    schema ? [{ name: `${id} ${place}`, schema }] : [],
  ),
);
const parts = schemas.flatMap(({ name, schema }) => partsOf(name, schema));

describe('validation errors are explained in words (SPEC errors body 1)', () => {
  for (const { name, schema } of parts) {
    test(`The validation errors of ${name} are explained in words`, () => {
      const check = Compile(schema as TSchema);
      for (const value of WRONG) {
        const errors = explain(schema, value);
        assert.equal(errors.length === 0, check.Check(value), `${name}: ${JSON.stringify(value)}`);
        for (const { message } of errors) {
          assert.doesNotMatch(withoutChoices(message, schema), FOR_MACHINES);
        }
      }
    });
  }

  test('Every pattern has words that explain its validation error', () => {
    const wordless = parts.filter(
      ({ schema }) =>
        (schema.pattern !== undefined && schema[EXPECTS] === undefined) ||
        (schema.patternProperties !== undefined &&
          schema.additionalProperties === false &&
          schema[EXPECTS_NAMES] === undefined),
    );
    assert.deepEqual(
      wordless.map(({ name }) => name),
      [],
      'give each of these x-expects: what the text must be, in words',
    );
  });

  test('A validation error lists all allowed values of an enumeration', () => {
    for (const { name, schema } of parts) {
      if (!schema.enum) continue;
      const [error] = explain(schema, 'none of them');
      for (const value of schema.enum) {
        assert.ok(error?.message.includes(String(value)), `${name}: ${error?.message}`);
      }
    }
  });

  test('The catalog of errors explains each error in words', () => {
    for (const [code, { detail }] of Object.entries(ERRORS)) {
      assert.doesNotMatch(detail, FOR_MACHINES, code);
      assert.match(detail, /\.$/, code);
    }
  });
});

describe('work is proportional to the input', () => {
  /** The number of accesses to the value. */
  function looksInto(
    make: (watch: ProxyHandler<object>) => unknown,
    schema: RequestSchema,
  ): number {
    let looks = 0;
    const count = () => {
      looks += 1;
    };
    const value = make({
      get(target, key) {
        count();
        return Reflect.get(target, key) as unknown;
      },
      has: (target, key) => (count(), Reflect.has(target, key)),
      getOwnPropertyDescriptor: (target, key) => (
        count(),
        Reflect.getOwnPropertyDescriptor(target, key)
      ),
    });
    explain(schema, value);
    return looks;
  }

  const entries: RequestSchema = { type: 'array', uniqueItems: true, items: { type: 'string' } };
  const closed: RequestSchema = { type: 'object', properties: {}, additionalProperties: false };
  const cases: Readonly<Record<string, (size: number) => number>> = {
    'entries that are all the same': (size) =>
      looksInto((watch) => new Proxy(Array<string>(size).fill('a'), watch), entries),
    'entries that are all wrong': (size) =>
      looksInto((watch) => new Proxy(Array<number>(size).fill(1), watch), entries),
    'unknown fields': (size) => {
      const fields = Object.fromEntries(Array.from({ length: size }, (_, at) => [`f${at}`, 1]));
      return looksInto((watch) => new Proxy(fields, watch), closed);
    },
  };
  for (const [what, looks] of Object.entries(cases)) {
    test(`The work of validation is proportional to the number of ${what}`, () => {
      const [few, many] = [looks(1000), looks(4000)];
      assert.ok(many <= 4 * few + 100, `${few} looks at 1,000 and ${many} at 4,000`);
    });
  }
});
