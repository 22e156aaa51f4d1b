type Json = Record<string, unknown>;

/**
 * Rewrites a schema of the contract in keywords that generators for other languages support. It accepts the same
 * values.
 */
export function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (!isObject(schema)) return schema;
  // The document has examples of whole bodies, which are composed from those of the fields.
  const { examples: _, ...rest } = schema;
  const rewritten = withNullableType(withOpenKeys(withFlatUnion(rest)));
  const entries = Object.entries(rewritten).map(([name, value]) => [
    name,
    name === 'pattern' && typeof value === 'string' ? portablePattern(value) : portable(value),
  ]);
  return withType(Object.fromEntries(entries) as Json);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Flattens nested unions. */
function withFlatUnion(schema: Json): Json {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const isBareUnion = (member: unknown): member is { anyOf: unknown[] } =>
    isObject(member) && Array.isArray(member['anyOf']) && Object.keys(member).length === 1;
  return {
    ...schema,
    anyOf: anyOf.flatMap((member) => (isBareUnion(member) ? member.anyOf : [member])),
  };
}

/** Replaces a union with null by `type: [string, null]`, which generators support. */
function withNullableType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const other = anyOf.find((member) => isObject(member) && member['type'] !== 'null') as
    | Json
    | undefined;
  const hasNull = anyOf.some((member) => isObject(member) && member['type'] === 'null');
  if (!hasNull || other === undefined) return schema;
  const { type, enum: values } = withType(other);
  if (typeof type !== 'string') return schema;
  if ('$id' in other) return withNullableName(rest, other);
  if ('const' in other) return schema;
  const listed = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  return { ...other, ...rest, ...listed, type: [type, 'null'] };
}

/**
 * openapi-generator drops null from `oneOf` if the enclosing schema has a name. With a named object and null, only one
 * can match.
 */
function withNullableName(rest: Json, named: Json): Json {
  return { ...rest, oneOf: [named, { type: 'null' }] };
}

/** Replaces `patternProperties`, which few generators support, by two keywords that all of them support. */
function withOpenKeys(schema: Json): Json {
  const { patternProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return schema;
  const [[pattern, value] = ['', {}], ...others] = Object.entries(patternProperties);
  if (others.length > 0 || 'properties' in rest) return schema;
  return { ...rest, additionalProperties: value, propertyNames: { pattern } };
}

/** Adds the type of enumerated values. */
function withType(schema: Json): Json {
  if ('type' in schema) return schema;
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
  const types = new Set(values.map((value) => typeof value));
  const [type] = types;
  const isPlain = type === 'string' || type === 'boolean';
  return types.size === 1 && isPlain ? { type, ...schema } : schema;
}

/**
 * Replaces Unicode classes, which Python does not support: control characters are listed by number, and surrogates
 * are dropped, because JSON in UTF-8 cannot contain them.
 */
function portablePattern(pattern: string): string {
  return pattern
    .replaceAll(String.raw`\p{Cc}`, String.raw`\x00-\x1f\x7f-\x9f`)
    .replaceAll(String.raw`\p{Cs}`, '')
    .replaceAll(String.raw`\0`, String.raw`\x00`);
}
