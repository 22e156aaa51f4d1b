// Converts what was typed into a form to the body of a request, and back.

import type { FieldFacts } from '../../api/field-facts.ts';
import type { FieldProblem } from '../../api/problem.ts';
import type { Input } from '../../api/routes.ts';
import type { FieldErrorText } from '../../texts/field-errors.ts';

export type Body = Readonly<Record<string, unknown>>;
/** What is wrong, by field; under '' what is not at a field. */
export type FieldErrors = ReadonlyMap<string, readonly FieldErrorText[]>;

/** A field's text is not a value of its kind. */
export class FieldError extends Error {
  readonly field: string;

  constructor(field: string) {
    super(`${field} is not valid.`);
    this.field = field;
  }
}

/**
 * Returns the body, without empty fields. A change contains only what differs from the present record; emptied fields
 * are reset by null, an empty list or an empty text.
 * @throws FieldError for invalid JSON
 */
export function bodyOf(facts: readonly FieldFacts[], form: FormData, present?: Body): Body {
  const values = facts.map((field) => [field, valueOf(field, form)] as const);
  const sent = values.flatMap(([field, value]) => {
    if (!present) return value === undefined ? [] : [[field.name, value] as const];
    const isReset = form.has(resetMark(field.name));
    const changed = value ?? (isReset ? null : emptyOf(field, present[field.name]));
    return isSameValue(field, changed, present[field.name]) || changed === undefined
      ? []
      : [[field.name, changed] as const];
  });
  return Object.fromEntries(sent);
}

/**
 * Names the form field that marks another one as reset to its default, because an empty list can be a value of its
 * own.
 */
export function resetMark(name: string): string {
  return `${name} default`;
}

export function isSameValue(field: FieldFacts, value: unknown, other: unknown): boolean {
  return textToCompare(field, value) === textToCompare(field, other);
}

/** The order of checked choices has no meaning. */
function textToCompare({ kind }: FieldFacts, value: unknown): string {
  const isSet = (kind === 'choices' || kind === 'scopes') && Array.isArray(value);
  return JSON.stringify(isSet ? value.map(String).toSorted() : value) ?? '';
}

/** Returns the value of an emptied field; undefined if it was empty before, or cannot be empty. */
function emptyOf({ kind, nullable }: FieldFacts, before: unknown): unknown {
  if (before === undefined || before === null) return undefined;
  if (Array.isArray(before) && before.length === 0) return undefined;
  if (nullable) return null;
  if (kind === 'list' || kind === 'scopes' || kind === 'choices') return [];
  return kind === 'text' || kind === 'lines' ? '' : undefined;
}

function valueOf({ name, kind }: FieldFacts, form: FormData): unknown {
  if (kind === 'choices' || kind === 'scopes') {
    const chosen = form
      .getAll(name)
      .flatMap((item) => (typeof item === 'string' ? wordsOf(item) : []));
    return chosen.length === 0 ? undefined : chosen;
  }
  const entry = form.get(name);
  const text = typeof entry === 'string' ? entry : '';
  // A password can start or end with spaces.
  if (kind === 'secret') return text === '' ? undefined : text;
  return text.trim() === '' ? undefined : parsed(name, kind, text.trim());
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function parsed(name: string, kind: FieldFacts['kind'], text: string): unknown {
  if (kind === 'number') return Number(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'list') return wordsOf(text);
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new FieldError(name);
  }
}

/** Returns the initial text of a field. */
export function textOfValue({ kind }: FieldFacts, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && (kind === 'list' || kind === 'scopes')) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

/**
 * Returns the errors of a response by field. Errors of fields outside this form are under ''.
 * @param textOf returns the text for what the service reports
 */
export function errorsByField(
  errors: readonly FieldProblem[],
  facts: readonly FieldFacts[],
  textOf: (message: string) => FieldErrorText,
  part?: string,
): FieldErrors {
  const found = new Map<string, FieldErrorText[]>();
  for (const { path, message } of errors) {
    const above = part === undefined ? '' : `/${part}`;
    const below = path.startsWith(`${above}/`) ? path.slice(above.length) : path;
    const [name = ''] = below.replace(/^\//, '').split('/', 1);
    const field = facts.some((fact) => fact.name === name) ? name : '';
    const { text, detail } = textOf(message);
    const added =
      field === '' ? { text, detail: `${path}: ${message}` } : { text, ...(detail && { detail }) };
    const others = found.get(field) ?? [];
    const isKnown = others.some(
      (error) => error.text === added.text && error.detail === added.detail,
    );
    if (!isKnown) others.push(added);
    found.set(field, others);
  }
  return found;
}

/** Returns a call without passwords, to be shown and copied. */
export function withoutSecrets(
  { body, ...rest }: Input,
  facts: readonly FieldFacts[],
  part?: string,
): Input {
  const secrets = facts.filter(({ kind }) => kind === 'secret').map(({ name }) => name);
  const hide = (fields: Body): Body =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, secrets.includes(name) ? '…' : value]),
    );
  return { ...rest, body: changePart(Object(body) as Body, namesOf(part), hide) };
}

/** Returns a body with these fields as its part. @param part names separated by `/` */
export function bodyWithPart(fields: Body, part: string | undefined): Body {
  return changePart({}, namesOf(part), () => fields);
}

export function partOf(body: unknown, part: string | undefined): Body {
  const inner = namesOf(part).reduce((outer, name) => (Object(outer) as Body)[name], body);
  return Object(inner) as Body;
}

function namesOf(part: string | undefined): readonly string[] {
  return part?.split('/') ?? [];
}

function changePart(
  body: Body,
  [name, ...below]: readonly string[],
  change: (fields: Body) => Body,
): Body {
  if (name === undefined) return change(body);
  return { ...body, [name]: changePart(Object(body[name]) as Body, below, change) };
}
