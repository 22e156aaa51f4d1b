// What a form needs to know about a field, from the schema of the request that it fills in.

import { type RequestSchema, typesOf } from '@keywright/contract/expectation';
import { PERMISSION_PATTERN, LOGINS } from '@keywright/contract/scopes';
import { REQUIRED_SCOPE } from '@keywright/contract/records/tenant-config-patch';
import { SECRET_MARK } from '@keywright/contract/records/tokens';
import type { FieldFacts, FieldKind } from '../src/api/field-facts.ts';

export interface FieldSchema extends RequestSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly [SECRET_MARK]?: boolean;
  readonly [REQUIRED_SCOPE]?: string;
}

/**
 * Returns the facts of an object's fields, in schema order.
 * @param record the changed record, if it has defaults: a change has none, or it would reset the fields that it omits
 */
export function factsOf(schema: FieldSchema, record: FieldSchema = {}): Omit<FieldFacts, 'of'>[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, field]) => {
    const stored: FieldSchema | undefined = record.properties?.[name];
    const { default: usual }: FieldSchema = field;
    return factsOfField(name, field, required.includes(name), stored?.default ?? usual);
  });
}

function factsOfField(
  name: string,
  field: FieldSchema,
  isRequired: boolean,
  byDefault: unknown,
): Omit<FieldFacts, 'of'> {
  const { schema, isNullable } = withoutNull(field);
  const kind = kindOf(name, schema);
  const choices = choicesOf(schema, kind);
  const single = kind === 'list' ? (schema.items ?? {}) : schema;
  const { minimum, maximum, minLength, maxLength } = single;
  const isChecked = minLength !== 1 && minLength !== undefined;
  return {
    name,
    kind,
    ...(isRequired && { required: true }),
    ...(field[REQUIRED_SCOPE] === LOGINS && { scope: LOGINS }),
    ...(isNullable && { nullable: true }),
    ...(choices && { choices }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(isChecked && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...patternOf(single, kind),
    ...(kind === 'secret' && /\\n/.test(single.pattern ?? '') && { isLong: true as const }),
    ...exampleOf(field, kind),
    ...(byDefault !== undefined && { byDefault }),
  };
}

/** Returns the schema of a part of a body, given as names separated by `/`. */
export function schemaOfPart(body: FieldSchema, part: string): FieldSchema | undefined {
  return part.split('/').reduce<FieldSchema | undefined>((outer, name) => {
    const inner = outer?.properties?.[name];
    return inner && withoutNull(inner).schema;
  }, body);
}

function withoutNull(field: FieldSchema): { schema: FieldSchema; isNullable: boolean } {
  const members = field.anyOf?.filter((member) => member.type !== 'null');
  const [only, ...others] = members ?? [];
  if (only && others.length === 0) {
    const { description, default: usual } = field;
    return {
      schema: {
        ...only,
        ...(description !== undefined && { description }),
        ...(usual !== undefined && { default: usual }),
      },
      isNullable: true,
    };
  }
  const types = typesOf(field);
  if (!types.includes('null')) return { schema: field, isNullable: false };
  const type = types.find((name) => name !== 'null') ?? 'string';
  const { enum: values } = field;
  const named = values ? { enum: values.filter((value) => value !== null) } : {};
  return { schema: { ...field, type, ...named }, isNullable: true };
}

/** Of a color. */
const COLOR = '^#[0-9a-fA-F]{6}$';

/** Names of fields in seconds. */
const DURATION = /^ttl$|_ttl$|_window$|_max_age$|^session_timeout$/;
/** Of a time in UTC. */
const MOMENT = /^\^\[0-9\]\{4\}-/;

function kindOf(name: string, schema: FieldSchema): FieldKind {
  if (schema[SECRET_MARK]) return 'secret';
  if (schema.type === 'boolean') return 'boolean';
  if (schema.type === 'integer' || schema.type === 'number') {
    if (DURATION.test(name)) return 'duration';
    return name.endsWith('_days') ? 'days' : 'number';
  }
  if (schema.enum) return 'choice';
  if (schema.type === 'array') return listKindOf(schema.items ?? {});
  if (schema.type !== 'string') return 'json';
  if (schema.pattern === COLOR) return 'color';
  if (MOMENT.test(schema.pattern ?? '')) return 'date';
  return schema.pattern?.includes(String.raw`\0`) ? 'lines' : 'text';
}

function listKindOf(items: FieldSchema): FieldKind {
  if (items.enum) return 'choices';
  if (items.type !== 'string') return 'json';
  return items.pattern?.includes(PERMISSION_PATTERN) ? 'scopes' : 'list';
}

function choicesOf(schema: FieldSchema, kind: FieldKind): readonly string[] | undefined {
  if (kind === 'choice') return schema.enum?.map(String);
  return kind === 'choices' ? schema.items?.enum?.map(String) : undefined;
}

/** Browsers compile patterns with the flag `v`. The service alone checks patterns that they could not compile. */
function patternOf({ pattern }: FieldSchema, kind: FieldKind): { pattern?: string } {
  if (pattern === undefined || !['text', 'color'].includes(kind) || /\\[pP]\{C/.test(pattern))
    return {};
  try {
    // With this flag, a hyphen at the end of a class must be escaped.
    return { pattern: new RegExp(pattern.replaceAll('-]', String.raw`\-]`), 'v').source };
  } catch {
    return {};
  }
}

/** Choices and lifetimes in days start with it, since the contract has no default for them. */
function exampleOf({ examples }: FieldSchema, kind: FieldKind): { example?: string | number } {
  const [value] = examples ?? [];
  if (!['text', 'lines', 'color', 'days', 'choice'].includes(kind)) return {};
  return typeof value === 'string' || typeof value === 'number' ? { example: value } : {};
}

/** Returns the text without code marks. */
export function plainText(text: string): string {
  return text.replaceAll('`', '');
}
