import Type, { type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { EXPECTS, MERGED } from './expectation.ts';

/** A line of text that the database can store: no control characters, no lone surrogates. */
export const LINE_OF_TEXT = {
  pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  [EXPECTS]: 'one line of text without control characters',
} as const;
/** Text that the database can store, in several lines. */
export const LINES_OF_TEXT = {
  pattern: '^[^\\0\\p{Cs}]*$',
  [EXPECTS]: 'text without NUL characters',
} as const;

interface ClosedOptions {
  readonly minProperties?: number;
  /** Its name in the OpenAPI document. */
  readonly $id?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** Defines a request object that rejects unknown fields instead of ignoring them. */
export function closed<const P extends TProperties>(properties: P, options: ClosedOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/**
 * The same schema, or null. A list of types, which clients in other languages support best. The default is an example
 * only: generated clients send defaults, which would reset every setting that a change does not name.
 */
function nullable<S extends TSchema>(setting: S): TUnsafe<Static<S> | null> {
  const { default: value, ...rest } = setting as TSchema & { readonly default?: unknown };
  const schema = value === undefined ? setting : ({ examples: [value], ...rest } as TSchema);
  const { type, description } = schema as { type?: string; description?: string };
  const isUnion = 'anyOf' in schema && Array.isArray(schema.anyOf);
  if (isUnion) return Type.Unsafe<Static<S> | null>(schema);
  // A named schema becomes a reference, and a reference cannot have an additional type.
  if ('$id' in schema) {
    const options = description === undefined ? {} : { description };
    return Type.Unsafe<Static<S> | null>(Type.Union([schema, Type.Null()], options));
  }
  const isEnum = 'enum' in schema && Array.isArray(schema.enum);
  const values = isEnum ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    ...values,
    type: [type ?? 'string', 'null'],
  });
}

type Nullable<P extends TProperties> = { [Name in keyof P]: TUnsafe<Static<P[Name]> | null> };

/**
 * Defines a change of settings: present fields are set, and null resets a field (RFC 7396).
 * @param marks keywords to add to the schema of a field
 */
export function settingsPatch<const P extends TProperties>(
  properties: P,
  options: { readonly $id: string; readonly description: string },
  marks: (name: keyof P & string) => object = () => ({}),
) {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    { ...nullable(field), ...marks(name) },
  ]);
  const all = Type.Object(Object.fromEntries(fields) as Nullable<P>);
  return Type.Partial(all, { ...options, additionalProperties: false, [MERGED]: true });
}
