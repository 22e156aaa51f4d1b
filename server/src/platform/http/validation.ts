import { AppError, type ErrorCode, type FieldError, type Fail } from '@keywright/contract/errors';
import { PERMISSIONS, type RequestSchema } from '@keywright/contract/expectation';
import { type Identifier, parseIdentifier } from '@keywright/contract/identifiers';
import type { Route } from '@keywright/contract/route';
import type { TSchema } from 'typebox';
import { Compile } from '../compile.ts';
import { lazy } from '../lazy.ts';
import { explain } from './explain.ts';

const INTEGER = /^-?[0-9]{1,30}$/;

type Checked = { value: unknown } | { error: Error };

/**
 * Returns a Fastify validator of a schema, compiled on first use. Nothing is removed or filled in; integers of a query
 * are parsed from text.
 */
export function validator(
  schema: TSchema,
  isQuery: boolean,
  invalid?: Route['invalidBody'],
): (data: unknown) => Checked {
  const isRight = lazy(() => checker(schema as RequestSchema));
  const integers = isQuery ? integerFields(schema) : [];
  return (data) => {
    const value = integers.length > 0 ? readIntegers(data, integers) : data;
    if (isRight()(value)) return { value };
    const errors = explain(schema, value);
    return { error: new AppError(codeOf(errors, invalid), { errors }) };
  };
}

/** The first invalid field determines the code. */
function codeOf([first]: readonly FieldError[], invalid: Route['invalidBody']): ErrorCode {
  const [, member = ''] = first?.path.split('/') ?? [];
  return invalid ? (invalid.at[`/${member}`] ?? invalid.code) : 'VALIDATION_FAILED';
}

/**
 * Returns the check of a schema. TypeBox detects duplicate entries by a hash in big-integer arithmetic, which takes
 * milliseconds for a full body, and does not support the keyword for permissions: the few schemas with either are
 * checked by `explain`.
 */
function checker(schema: RequestSchema): (value: unknown) => boolean {
  const text = JSON.stringify(schema);
  if (!text.includes('"uniqueItems":true') && !text.includes(`"${PERMISSIONS}":true`)) {
    const compiled = Compile(schema as TSchema);
    return (value) => compiled.Check(value);
  }
  return (value) => explain(schema, value).length === 0;
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

/** @throws AppError VALIDATION_FAILED unless the text is an email address or a phone number */
export function requireIdentifier(
  text: string,
  path: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Identifier {
  const message = 'must be an email address, or a phone number such as +15551234567';
  return parseIdentifier(text) ?? fail('VALIDATION_FAILED', { errors: [{ path, message }] });
}
