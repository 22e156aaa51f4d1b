import { batchText, isBatched } from './batch.ts';
import type { DatabaseFunction, Field } from './catalog.ts';
import type { Header } from './header.ts';
import { rowOf } from './row.ts';
import { argumentType, importsOf } from './types.ts';

/** The type of a call by its first argument: the gate supplies the tenant; system work supplies its audit entry. */
const SCOPES: Readonly<Record<string, string>> = {
  p_tenant: 'TenantCall',
  p_work: 'SystemCall',
  p_entries: 'SystemCall',
};

/** The settings that select the connection for a function called outside a transaction. */
const STATEMENTS: Readonly<Record<Header['caller'], string | undefined>> = {
  reading: 'onlyReads: true,\n  takesLong: false',
  writing: 'onlyReads: false,\n  takesLong: false',
  alone: 'onlyReads: true,\n  takesLong: true',
  'batched reading': 'onlyReads: true,\n  takesLong: false',
  'batched writing': 'onlyReads: false,\n  takesLong: false',
  transaction: undefined,
  none: undefined,
};

/** Returns the source text of a caller file. */
export function callerOf(fn: DatabaseFunction, header: Header): string {
  const [first] = fn.parameters;
  const isBatch = isBatched(header);
  const scope = isBatch ? undefined : scopeOf(first, header);
  const callParameters = scope === undefined ? fn.parameters : fn.parameters.slice(1);
  const row = rowOf(fn, header);
  const statement = STATEMENTS[header.caller];
  const kind = scope ?? (isBatch ? 'BatchCall' : 'Call');
  const call = `${kind}<${argumentsOf(fn, callParameters, header)}, ${row.type}>`;
  const text = [
    row.declaration,
    `export const ${camelCase(fn.name.slice(3))}: ${statement === undefined ? '' : 'Statement & '}${call} = {\n`,
    statement === undefined ? '' : `  name: '${fn.name}',\n  ${statement},\n`,
    `  text: '${isBatch ? batchText(fn, header) : textOf(fn)}',\n`,
    `  values: ${isBatch ? batchValuesOf(callParameters) : valuesOf(first, callParameters, scope !== undefined)},\n};\n`,
  ].join('');
  const imports = new Map([
    ...importsOf(text),
    ['../../src/platform/db/calls.ts', [kind, ...(text.includes('RowFor<') ? ['RowFor'] : [])]],
    ...(statement === undefined
      ? []
      : [['../../src/platform/db/database.ts', ['Statement']] as const]),
  ]);
  const lines = [...imports].map(
    ([module, types]) => `import type { ${types.join(', ')} } from '${module}';\n`,
  );
  return `// Made from ${fn.name}.sql by \`npm run generate\`.\n\n${lines.toSorted(byModule).join('')}\n${text}`;
}

/** Returns the type of a call whose first argument another module supplies. */
function scopeOf(first: Field | undefined, { caller }: Header): string | undefined {
  if (!first || (caller === 'transaction' && first.name === 'p_entries')) return undefined;
  return SCOPES[first.name];
}

/** Sorts imports like the formatter: packages first. */
function byModule(importLine: string, other: string): number {
  const keyOfLine = (line: string) =>
    line.slice(line.indexOf("'")).replace("'@", "'").replace("'.", "'~");
  return keyOfLine(importLine) < keyOfLine(other) ? -1 : 1;
}

function argumentsOf(
  fn: DatabaseFunction,
  callParameters: readonly Field[],
  header: Header,
): string {
  const fields = callParameters.map(
    (parameter) => `  readonly ${keyOf(parameter)}: ${argumentType(fn, parameter, header)};\n`,
  );
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
}

function textOf({ name, parameters, isTable, columns }: DatabaseFunction): string {
  const places = parameters.map((_, index) => `$${index + 1}`).join(', ');
  const answer = columns[0]?.name === 'answer' ? ' AS answer' : '';
  return `SELECT ${isTable ? '* FROM ' : ''}${name}(${places})${answer}`;
}

function valuesOf(
  first: Field | undefined,
  callParameters: readonly Field[],
  isScoped: boolean,
): string {
  const keys = callParameters.map(keyOf);
  const scope = first && isScoped ? [keyOf(first)] : [];
  const taken = [...scope, ...(keys.length > 0 ? [`{ ${keys.join(', ')} }`] : [])];
  return `(${taken.join(', ')}) => [${[...scope, ...keys].join(', ')}]`;
}

function batchValuesOf(callParameters: readonly Field[]): string {
  const arrays = callParameters.map(
    (parameter) => `    items.map((item) => item.${keyOf(parameter)}),\n`,
  );
  return `(items) => [\n${arrays.join('')}  ]`;
}

function keyOf({ name }: Field): string {
  return camelCase(name.slice('p_'.length));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
