import type { FieldError } from '@keywright/contract/errors';
import {
  EXPECTS_NAMES,
  expectationOf,
  PERMISSIONS,
  type RequestSchema,
  typesOf,
} from '@keywright/contract/expectation';
import { flawOfAction } from '@keywright/contract/scopes';
import { didYouMean } from '@keywright/contract/suggest';

const MAX_ERRORS = 20;
const MAX_PATH = 120;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Describes what is wrong with a value; empty if it matches the schema. Checks each part once, and stops after 20
 * errors.
 */
export function explain(schema: RequestSchema, value: unknown): FieldError[] {
  const errors = new Errors(MAX_ERRORS);
  look(schema, value, '', errors);
  return errors.found;
}

class Errors {
  readonly found: FieldError[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get areEnough(): boolean {
    return this.found.length >= this.#max;
  }

  add(path: string, message: string): void {
    if (!this.areEnough) this.found.push({ path: shorten(path), message });
  }
}

function look(schema: RequestSchema, value: unknown, path: string, errors: Errors): void {
  if (errors.areEnough) return;
  if (schema.anyOf) return lookAtEither(schema, schema.anyOf, value, path, errors);
  const isOther =
    !isOfType(schema, value) ||
    ('const' in schema && schema.const !== value) ||
    (schema.enum !== undefined && !schema.enum.includes(value));
  if (isOther) return errors.add(path, `must be ${expectationOf(schema)}`);
  if (typeof value === 'string') lookAtText(schema, value, path, errors);
  else if (typeof value === 'number') lookAtNumber(schema, value, path, errors);
  else if (Array.isArray(value)) lookAtList(schema, value, path, errors);
  else if (typeof value === 'object' && value !== null) {
    lookAtObject(schema, value as Fields, path, errors);
  }
}

/** For a union, the errors of the member that was probably meant. */
function lookAtEither(
  schema: RequestSchema,
  forms: readonly RequestSchema[],
  value: unknown,
  path: string,
  errors: Errors,
): void {
  if (forms.some((form) => fits(form, value))) return;
  const ofType = forms.filter((form) => typesOf(form).length > 0 && isOfType(form, value));
  const meant = ofType.filter((form) => agrees(form, value));
  const [only, ...others] = meant.length > 0 ? meant : ofType;
  if (only && others.length === 0) return look(only, value, path, errors);
  errors.add(path, `must be ${expectationOf(schema)}`);
}

function fits(schema: RequestSchema, value: unknown): boolean {
  const errors = new Errors(1);
  look(schema, value, '', errors);
  return errors.found.length === 0;
}

/** Whether an object has the fields that identify this member of a union, such as the type of a key. */
function agrees({ properties = {} }: RequestSchema, value: unknown): boolean {
  const fields = value as Fields;
  return Object.entries(properties).every(
    ([name, field]) => !('const' in field) || fields[name] === field.const,
  );
}

function isOfType(schema: RequestSchema, value: unknown): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => isOf(type, value));
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function lookAtText(schema: RequestSchema, text: string, path: string, errors: Errors): void {
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  // A character is one or two units of a string.
  const isTooLong = text.length > maxLength && charactersIn(text, 2 * maxLength) > maxLength;
  if (isTooLong) return errors.add(path, `must have at most ${many(maxLength, 'character')}`);
  if (text.length < 2 * minLength && charactersIn(text) < minLength) {
    return errors.add(
      path,
      minLength === 1 ? 'must not be empty' : `must have at least ${many(minLength, 'character')}`,
    );
  }
  if (pattern !== undefined && !expressionOf(pattern).test(text)) {
    return errors.add(path, `must be ${expectationOf(schema)}`);
  }
  if (!schema[PERMISSIONS]) return;
  for (const scope of text.split(' ')) {
    const flaw = flawOfAction(scope);
    if (flaw !== undefined) errors.add(path, flaw);
  }
}

/** @param most counting stops beyond this many units */
function charactersIn(text: string, most = Infinity): number {
  return text.length > most ? text.length : Array.from(text).length;
}

function lookAtNumber(schema: RequestSchema, value: number, path: string, errors: Errors): void {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value < minimum) errors.add(path, `must be at least ${minimum}`);
  if (value > maximum) errors.add(path, `must be at most ${maximum}`);
}

function lookAtList(schema: RequestSchema, list: readonly unknown[], path: string, errors: Errors) {
  const { minItems = 0, maxItems = Infinity, items } = schema;
  if (list.length > maxItems)
    return errors.add(path, `must have at most ${many(maxItems, 'entry', 'entries')}`);
  if (list.length < minItems)
    errors.add(path, `must have at least ${many(minItems, 'entry', 'entries')}`);
  if (schema.uniqueItems && hasTwice(list)) errors.add(path, 'must not contain duplicate entries');
  if (!items) return;
  for (let index = 0; index < list.length && !errors.areEnough; index += 1) {
    look(items, list[index], `${path}/${index}`, errors);
  }
}

function hasTwice(list: readonly unknown[]): boolean {
  const texts = list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return new Set(texts).size < list.length;
}

function lookAtObject(schema: RequestSchema, fields: Fields, path: string, errors: Errors): void {
  const { properties = {}, required = [], minProperties = 0, maxProperties = Infinity } = schema;
  for (const name of required) {
    if (!Object.hasOwn(fields, name)) errors.add(`${path}/${name}`, 'is required');
  }
  for (const [name, field] of Object.entries(properties)) {
    if (Object.hasOwn(fields, name)) look(field, fields[name], `${path}/${name}`, errors);
  }
  let count = 0;
  for (const name in fields) {
    count += 1;
    if (errors.areEnough) return;
    if (!Object.hasOwn(properties, name)) lookAtOther(schema, name, fields[name], path, errors);
  }
  if (count < minProperties) errors.add(path, `must have at least ${many(minProperties, 'field')}`);
  if (count > maxProperties) errors.add(path, `must have at most ${many(maxProperties, 'field')}`);
}

/** A field that is not declared. */
function lookAtOther(
  schema: RequestSchema,
  name: string,
  value: unknown,
  path: string,
  errors: Errors,
) {
  const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const { patternProperties = {}, additionalProperties: others } = schema;
  const matching = Object.entries(patternProperties).filter(([pattern]) =>
    expressionOf(pattern).test(name),
  );
  for (const [, field] of matching) look(field, value, at, errors);
  if (matching.length > 0) return;
  const names = schema[EXPECTS_NAMES];
  if (others === false) {
    const wrong =
      names === undefined ? describeUnknown(schema, name) : `must have a name that is ${names}`;
    errors.add(at, wrong);
  } else if (typeof others === 'object') look(others, value, at, errors);
}

/** Suggests the field that was probably meant, and where it belongs. */
function describeUnknown({ properties = {} }: RequestSchema, name: string): string {
  const parents = Object.keys(properties).filter((parent) =>
    Object.hasOwn(properties[parent]?.properties ?? {}, name),
  );
  const [parent, ...others] = parents;
  if (parent !== undefined && others.length === 0) return `is a field of ${parent}: send it there`;
  return `is not a known field${didYouMean(name, Object.keys(properties)).replace(/^ /, '. ')}`;
}

const expressions = new Map<string, RegExp>();

/** The patterns of the contract, each compiled once; there are few. */
function expressionOf(pattern: string): RegExp {
  const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  return expression;
}

function many(count: number, singular: string, several = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : several}`;
}

function shorten(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
