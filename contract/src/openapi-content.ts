import type { TSchema } from 'typebox';
import { portable } from './openapi-schema.ts';

type Json = Record<string, unknown>;

/** The named components that operations reference. */
export interface Components {
  readonly schemas: Json;
  readonly responses: Json;
}

export function content(
  schema: TSchema,
  components: Components,
  example: unknown,
  type = 'application/json',
): Json {
  return { [type]: { schema: refer(schema, components), example } };
}

/** Moves every schema with an `$id` to the components and returns a reference to it. */
export function refer(schema: unknown, components: Components): unknown {
  return referParts(portable(schema), components);
}

function referParts(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((part) => referParts(part, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Json;
  const resolved = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, referParts(value, components)]),
  );
  if (typeof $id !== 'string') return resolved;
  components.schemas[$id] = resolved;
  return { $ref: `#/components/schemas/${$id}` };
}
