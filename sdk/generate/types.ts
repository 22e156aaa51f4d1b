// Converts JSON Schema, as TypeBox defines it in the contract, to TypeScript types.

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

/** Returns the type of a schema's values. Objects span several lines, each indented by `indent`. */
export function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(REFERENCE, '');
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return members.map((member) => typeOf(member, indent)).join(' | ');
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

/** Returns the fields of an object, each on its own lines, with the description in the contract. */
export function fieldsOf(schema: Schema, indent: string): string {
  const named = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${comment(field.description, indent)}${indent}readonly ${name}${mark}: ${typeOf(field, indent)};\n`;
  });
  return named.join('') + restOf(schema, indent);
}

/** Returns the index signature for fields other than the named ones. */
function restOf(schema: Schema, indent: string): string {
  const [pattern] = Object.values(schema.patternProperties ?? {});
  const extra = schema.additionalProperties;
  const rest = pattern ?? (typeof extra === 'object' ? extra : extra ? {} : undefined);
  return rest === undefined ? '' : `${indent}readonly [name: string]: ${typeOf(rest, indent)};\n`;
}

/** Returns a comment for a declaration, or '' without text. */
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
