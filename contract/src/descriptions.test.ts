// A field that uses the schema of another field inherits its description, which can be wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES } from './routes.ts';

/** Fields whose names have different meanings in different places. */
const INTENDED: Readonly<Record<string, readonly string[]>> = {
  identifiers: [
    'Identifiers that the user can sign in with. Each is unique within the tenant.',
    'Identifiers that the user can sign in with, in the order of the user record.',
  ],
  jwks: [
    'Public keys that verify assertions.',
    'Public keys that verify the agent’s assertions; `null` if there are none.',
    'Replaces the agent’s keys. `null` removes them.',
    'Public keys that verify the client’s assertions; `null` if there are none.',
    'Public keys that verify the client’s assertions, for `private_key_jwt`; `null` for none.',
  ],
};

interface Schema {
  readonly $id?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Returns the named schemas that a field refers to: one of them, or a list. */
function shapeOf({ $id, items, anyOf = [] }: Schema): string | undefined {
  if ($id !== undefined) return $id;
  const inner = items ? [shapeOf(items)] : anyOf.map(shapeOf);
  const named = inner.filter((shape) => shape !== undefined);
  return named.length === 0 ? undefined : `${items ? 'list' : 'one'} of ${named.join(', ')}`;
}

/** Every field of the contract that has a named schema, with its place. */
function* fieldsIn(schema: Schema, place: string, seen: Set<Schema>): Generator<Field> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const here = schema.$id ?? place;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const shape = shapeOf(field);
    if (shape) yield { name, shape, description: field.description ?? '', place: here };
    yield* fieldsIn(field, `${here}.${name}`, seen);
  }
  const { items, anyOf = [] } = schema;
  for (const inner of items ? [items] : anyOf) yield* fieldsIn(inner, here, seen);
}

interface Field {
  readonly name: string;
  readonly shape: string;
  readonly description: string;
  readonly place: string;
}

test('All fields of one name and schema have the same description, unless a difference is intended', () => {
  const seen = new Set<Schema>();
  const fields = ROUTES.flatMap(({ id, query = {}, body = {}, ok }) =>
    [query, body, ok.body ?? {}].flatMap((schema) => Array.from(fieldsIn(schema, id, seen))),
  );
  assert.ok(fields.some(({ name }) => name === 'identifiers'));
  const groups = Object.groupBy(fields, ({ name, shape }) => `${name}: ${shape}`);
  for (const [group, all = []] of Object.entries(groups)) {
    const intended = INTENDED[all[0]?.name ?? ''] ?? [all[0]?.description];
    const others = all.filter(({ description }) => !intended.includes(description));
    assert.deepEqual(others, [], `${group}: correct the description, or add it to INTENDED`);
  }
});
