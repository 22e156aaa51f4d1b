// Turns the fields of a route into options, and option values into requests.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Context, type ParsedOptions, type Option, UsageError } from '../command.ts';
import { promptSecret, readSecret } from '../secret-input.ts';
import type { Field, FieldKind, RouteFields } from './route-fields.ts';
import type { Row } from './row.ts';

type Options = Readonly<Record<string, Option>>;
type Values = Readonly<Record<string, unknown>>;

/** The options for the fields of a route. */
export function optionsFor(row: Row, route: RouteFields): Options {
  const entries = route.fields
    .filter(({ kind }) => kind !== 'json')
    .map((field) => [optionOf(row, field), describe(field)] as const);
  return {
    ...Object.fromEntries(entries),
    ...(route.hasBody ? { input: inputOption(route) } : {}),
  };
}

function describe({ name, kind, help, choices, isRequired }: Field): Option {
  if (kind === 'secret') return { help: `read from standard input: ${help}` };
  if (kind === 'switch') return { help };
  const needed = isRequired === true ? '; required, here or in --input' : '';
  return {
    value: kind === 'number' ? 'N' : kind === 'boolean' ? 'BOOL' : placeholder(name, kind),
    help: `${help}${needed}`,
    ...(kind === 'boolean' ? { choices: ['true', 'false'] } : choices && { choices }),
    ...(kind === 'list' ? { isRepeatable: true } : {}),
  };
}

function inputOption({ fields }: RouteFields): Option {
  const jsonFields = fields.filter(({ kind }) => kind === 'json').map(({ name }) => name);
  const also = jsonFields.length === 0 ? '' : `; the only way to set ${jsonFields.join(', ')}`;
  return {
    value: 'FILE',
    help: `request body of the API, one JSON object; - reads standard input; options override its fields${also}`,
  };
}

/** Returns the option of a field: `--workspace-id` for `workspace_id`, `--role` for each of `roles`. */
function optionOf({ rename = {} }: Row, { name, kind }: Field): string {
  const dashed = rename[name] ?? name.replaceAll('_', '-');
  if (kind === 'secret') return `${dashed}-stdin`;
  return kind === 'list' ? dashed.replace(/s$/, '') : dashed;
}

function placeholder(name: string, kind: FieldKind): string {
  const last = (name.split('_').at(-1) ?? name).toUpperCase();
  return kind === 'list' ? last.replace(/S$/, '') : last;
}

/** The query and the body, from options, `--input` and standard input. */
export async function readFields(
  row: Row,
  route: RouteFields,
  options: ParsedOptions,
  context: Context,
): Promise<{ readonly query: Values; readonly body: Values | undefined }> {
  const query = valuesIn('query', row, route, options);
  if (!route.hasBody) return { query, body: undefined };
  const values = {
    ...(await readInput(options, context)),
    ...valuesIn('body', row, route, options),
  };
  const secrets = await readSecrets(row, route, options, context, values);
  const body: Values = { ...values, ...secrets };
  requireFields(row, route, body);
  return { query, body };
}

function valuesIn(place: Field['in'], row: Row, { fields }: RouteFields, options: ParsedOptions) {
  const entries = fields
    .filter((field) => field.in === place && field.kind !== 'secret' && field.kind !== 'json')
    .map((field) => [field, optionOf(row, field)] as const)
    .filter(([, option]) => options.has(option))
    .map(([field, option]) => [field.name, valueOf(field, option, options)] as const);
  return Object.fromEntries(entries);
}

function valueOf({ kind }: Field, option: string, options: ParsedOptions): unknown {
  const value = options.get(option) ?? '';
  if (kind === 'switch') return true;
  if (kind === 'list') return options.all(option);
  if (kind === 'text') return value;
  if (kind === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  if (kind === 'number' && /^\d{1,15}$/.test(value)) return Number(value);
  throw new UsageError(
    `--${option} must be ${kind === 'boolean' ? 'true or false' : 'a whole number'}.`,
  );
}

async function readInput(options: ParsedOptions, { input }: Context): Promise<Values> {
  const file = options.get('input');
  if (file === undefined) return {};
  const [written, name] =
    file === '-' ? [await text(input), 'standard input'] : [await readText(file), file];
  const value = parse(written);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  throw new UsageError(`Expected ${name} to be one JSON object, such as {"name": "reporting"}.`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function parse(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

/** Reads the secrets that an option selects, and prompts for the required secrets. */
async function readSecrets(
  row: Row,
  { fields }: RouteFields,
  options: ParsedOptions,
  { input, printError }: Context,
  values: Values,
): Promise<Values> {
  const secrets: Record<string, string> = {};
  for (const field of fields.filter(({ kind }) => kind === 'secret')) {
    const { name, isRequired } = field;
    const option = optionOf(row, field);
    if (options.has(option)) {
      if (options.get('input') === '-') {
        throw new UsageError(
          `--${option} and --input - both read standard input: use one of them.`,
        );
      }
      secrets[name] = await readSecret(option, input);
    } else if (isRequired && !Object.hasOwn(values, name)) {
      secrets[name] = await promptSecret(name, option, input, printError);
    }
  }
  return secrets;
}

function requireFields(row: Row, { fields, takes }: RouteFields, body: Values): void {
  const missing = fields.find(
    (field) => field.in === 'body' && field.isRequired && !Object.hasOwn(body, field.name),
  );
  if (missing) {
    const option = optionOf(row, missing);
    throw new UsageError(
      `"${row.name}" needs --${option} ${placeholder(missing.name, missing.kind)}.`,
    );
  }
  const isChange = takes.length > 0 && row.name.endsWith(' update');
  if (!isChange || Object.keys(body).length > 0) return;
  throw new UsageError(`"${row.name}" needs an option for a field, or --input.`);
}
