// JSON Schema, as TypeBox states it in the contract, to types of TypeScript.

export interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

const REFERENCE = '#/components/schemas/';

/** The type of a value of this schema. Objects are laid out over lines that start with `indent`. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(REFERENCE, '');
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return members.map((one) => typeOf(one, indent)).join(' | ');
  if (typeof schema.type === 'object') {
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  }
  if (schema.type === 'array') return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`;
  if (schema.type === 'object') return objectType(schema, indent);
  return SIMPLE[schema.type ?? ''] ?? 'unknown';
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  null: 'null',
  integer: 'number',
  number: 'number',
};

function objectType(schema: Schema, indent: string): string {
  const fields = fieldsOf(schema, `${indent}  `);
  return fields === '' ? 'Readonly<Record<string, unknown>>' : `{\n${fields}${indent}}`;
}

/** The fields of an object, a line or more for each, with what the contract says of them. */
export function fieldsOf(schema: Schema, indent: string): string {
  const named = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${comment(field.description, indent)}${indent}readonly ${name}${mark}: ${typeOf(field, indent)};\n`;
  });
  return named.join('') + restOf(schema, indent);
}

/** What an object may contain in addition to its named fields. */
function restOf(schema: Schema, indent: string): string {
  const [pattern] = Object.values(schema.patternProperties ?? {});
  const extra = schema.additionalProperties;
  const rest = pattern ?? (typeof extra === 'object' ? extra : extra ? {} : undefined);
  return rest === undefined ? '' : `${indent}readonly [name: string]: ${typeOf(rest, indent)};\n`;
}

/** A comment above a declaration; nothing where there is nothing to say. */
export function comment(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\u200b/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function grouped(type: string): string {
  return / \| /.test(type) || type.startsWith('readonly ') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}
