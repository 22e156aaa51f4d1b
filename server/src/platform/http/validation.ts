import { AppError, type FieldError } from '@keywright/contract/errors';
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile } from '../compile.ts';
import { late } from '../late.ts';

const MAX_ERRORS = 20;
const MAX_PATH = 120;
/** More fields than any object of a request has: what is wrong with each is not worked out. */
const MANY_FIELDS = 256;
const INTEGER = /^-?[0-9]{1,30}$/;

type Checked = { value: unknown } | { error: Error };

/**
 * A schema in Fastify's form of a validator, compiled when it is first used. Nothing is removed or filled in; integers of a
 * query are read from their text.
 */
export function validator(schema: TSchema, isQuery: boolean): (data: unknown) => Checked {
  const compiled = late(() => Compile(schema));
  const integers = isQuery ? integerFields(schema) : [];
  return (data) => {
    const value = integers.length > 0 ? readIntegers(data, integers) : data;
    if (compiled().Check(value)) return { value };
    const errors = hasManyFields(value)
      ? [{ path: '', message: `has more than ${MANY_FIELDS} fields` }]
      : fieldErrors(compiled().Errors(value));
    return { error: new AppError('VALIDATION_FAILED', { errors }) };
  };
}

function hasManyFields(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > MANY_FIELDS;
}

function integerFields(schema: TSchema): string[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
}

function readIntegers(data: unknown, names: readonly string[]): unknown {
  const fields = { ...(data as Record<string, unknown>) };
  for (const name of names) {
    const text = fields[name];
    if (typeof text === 'string' && INTEGER.test(text)) fields[name] = Number(text);
  }
  return fields;
}

function fieldErrors(found: readonly TLocalizedValidationError[]): FieldError[] {
  const errors = found.flatMap((one): FieldError[] => {
    // A field too many is reported twice: by its own path, and by that of its object.
    if (one.keyword === 'additionalProperties') return [];
    if (one.keyword === 'boolean')
      return [{ path: shorten(one.instancePath), message: 'is not a known field' }];
    if (one.keyword === 'required') return missing(one);
    return [{ path: shorten(one.instancePath), message: one.message }];
  });
  return errors.slice(0, MAX_ERRORS);
}

function missing(error: TLocalizedValidationError): FieldError[] {
  const { requiredProperties = [] } = error.params as { requiredProperties?: string[] };
  return requiredProperties.map((name) => ({
    path: shorten(`${error.instancePath}/${name}`),
    message: 'is required',
  }));
}

function shorten(path: string): string {
  return path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
}
