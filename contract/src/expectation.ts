/** What a pattern means, worded to follow "must be", because error messages do not show patterns. */
export const EXPECTS = 'x-expects';
/** The same for the names of a record's fields. */
export const EXPECTS_NAMES = 'x-expects-names';
/** Marks an object that is merged, not replaced: fields that the request omits are unchanged (RFC 7396). */
export const MERGED = 'x-merged';
/** Marks text that consists of scopes. A scope on a resource of the service must have one of the service's actions. */
export const PERMISSIONS = 'x-permissions';

/** The JSON Schema keywords used by request schemas. */
export interface RequestSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly RequestSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: RequestSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, RequestSchema>>;
  readonly patternProperties?: Readonly<Record<string, RequestSchema>>;
  readonly additionalProperties?: boolean | RequestSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly [EXPECTS]?: string;
  readonly [EXPECTS_NAMES]?: string;
  readonly [MERGED]?: boolean;
  readonly [PERMISSIONS]?: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};

/** Returns what a schema expects, worded to follow "must be". */
export function expectationOf(schema: RequestSchema): string {
  if (schema.anyOf) return either(schema.anyOf.map(expectationOf));
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  const words = typesOf(schema).map((type) => TYPES[type] ?? 'a value');
  const named = schema[EXPECTS];
  return either(named === undefined ? words : [named, ...words.slice(1)]);
}

/** Returns the types of a schema; an empty list means any. */
export function typesOf({ type = [] }: RequestSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

function either(all: readonly string[]): string {
  return all.length === 0 ? 'a value' : [...new Set(all)].join(', or ');
}
