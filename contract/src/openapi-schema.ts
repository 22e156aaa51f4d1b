type Json = Record<string, unknown>;

/**
 * A schema of the contract as the generators of other languages understand it. It accepts the same values; only the
 * keywords differ: those that generators skip or stumble over are written as those that they all know.
 */
export function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (!isObject(schema)) return schema;
  // Examples are made for whole bodies, from those of the fields.
  const { examples: _, ...told } = schema;
  const rewritten = withNullableType(withOpenKeys(withFlatUnion(told)));
  const entries = Object.entries(rewritten).map(([name, value]) => [
    name,
    name === 'pattern' && typeof value === 'string' ? portablePattern(value) : portable(value),
  ]);
  return withType(Object.fromEntries(entries) as Json);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unions within a union are its own members. */
function withFlatUnion(schema: Json): Json {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const isBareUnion = (one: unknown): one is { anyOf: unknown[] } =>
    isObject(one) && Array.isArray(one['anyOf']) && Object.keys(one).length === 1;
  return { ...schema, anyOf: anyOf.flatMap((one) => (isBareUnion(one) ? one.anyOf : [one])) };
}

/** `type: [string, null]`, which generators know, in place of a union with null. */
function withNullableType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const other = anyOf.find((one) => isObject(one) && one['type'] !== 'null') as Json | undefined;
  const hasNull = anyOf.some((one) => isObject(one) && one['type'] === 'null');
  if (!hasNull || typeof other?.['type'] !== 'string') return schema;
  if ('$id' in other) return withNullableName(rest, other);
  if ('enum' in other || 'const' in other) return schema;
  return { ...other, ...rest, type: [other['type'], 'null'] };
}

/**
 * openapi-generator takes null out of `oneOf` where the schema around it has a name. Of a named object and null, only
 * one can fit.
 */
function withNullableName(rest: Json, named: Json): Json {
  return { ...rest, oneOf: [named, { type: 'null' }] };
}

/** Objects whose names follow a pattern: few generators know `patternProperties`, all know the other two. */
function withOpenKeys(schema: Json): Json {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return schema;
  const [[pattern, value] = ['', {}], ...others] = Object.entries(patternProperties);
  if (others.length > 0 || 'properties' in rest) return schema;
  return { ...rest, additionalProperties: value, propertyNames: { pattern } };
}

/** Values that are listed are of the type that they have. */
function withType(schema: Json): Json {
  if ('type' in schema) return schema;
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  const isPlain = type === 'string' || type === 'boolean';
  return types.size === 1 && isPlain ? { type, ...schema } : schema;
}

/**
 * Without Unicode classes, which Python does not know: control characters by their numbers, and no surrogates, which
 * JSON in UTF-8 cannot hold.
 */
function portablePattern(pattern: string): string {
  return pattern
    .replaceAll(String.raw`\p{Cc}`, String.raw`\x00-\x1f\x7f-\x9f`)
    .replaceAll(String.raw`\p{Cs}`, '')
    .replaceAll(String.raw`\0`, String.raw`\x00`);
}
