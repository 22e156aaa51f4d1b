// Converts what was typed into a form to the body of a request, and back.

import type { FieldFacts } from '../../api/field-facts.ts';
import type { FieldProblem } from '../../api/problem.ts';
import type { Input } from '../../api/routes.ts';
import type { FieldErrorText } from '../../texts/field-errors.ts';

/** As in 2027-01-31. */
const DATE_LENGTH = 10;

export type Body = Readonly<Record<string, unknown>>;
/** The errors by field; those without a field are under ''. */
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
    const before = present?.[field.name] ?? unsetOf(field);
    if (!present) {
      return value === undefined || value === unsetOf(field) ? [] : [[field.name, value] as const];
    }
    const isReset = form.has(resetMark(field.name));
    const isDefault =
      isReset && (value === undefined || isSameValue(field, value, field.byDefault));
    const changed = isDefault ? null : (value ?? emptyOf(field, present[field.name]));
    return isSameValue(field, changed, before) || changed === undefined
      ? []
      : [[field.name, changed] as const];
  });
  return Object.fromEntries(sent);
}

/** A switch always has a value, also where the record has none. */
function unsetOf(field: FieldFacts): unknown {
  return isSwitch(field) ? (field.byDefault ?? false) : undefined;
}

/** A boolean that can also be unset has three choices instead. */
export function isSwitch({ kind, nullable, byDefault }: FieldFacts): boolean {
  return kind === 'boolean' && (!nullable || byDefault !== undefined);
}

/** Names the form field that has the unit of a duration, in seconds. */
export function unitMark(name: string): string {
  return `${name} unit`;
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
  // A date has no time of day.
  const compared =
    kind === 'date' && typeof value === 'string' ? value.slice(0, DATE_LENGTH) : value;
  return JSON.stringify(isSet ? value.map(String).toSorted() : compared) ?? '';
}

/** Returns the value of an emptied field; undefined if it was empty before, or cannot be empty. */
function emptyOf({ kind, nullable }: FieldFacts, before: unknown): unknown {
  if (before === undefined || before === null) return undefined;
  if (Array.isArray(before) && before.length === 0) return undefined;
  if (nullable) return null;
  if (kind === 'list' || kind === 'scopes' || kind === 'choices') return [];
  return kind === 'text' || kind === 'lines' ? '' : undefined;
}

function valueOf(field: FieldFacts, form: FormData): unknown {
  const { name, kind } = field;
  if (isSwitch(field)) return form.get(name) === 'true';
  if (kind === 'choices' || kind === 'scopes' || kind === 'list') {
    const chosen = form
      .getAll(name)
      .flatMap((item) => (typeof item === 'string' ? wordsOf(item) : []));
    return chosen.length === 0 ? undefined : chosen;
  }
  const entry = form.get(name);
  const text = typeof entry === 'string' ? entry : '';
  // A password can start or end with spaces.
  if (kind === 'secret') return text === '' ? undefined : text;
  if (text.trim() === '') return undefined;
  if (kind === 'duration') return Math.round(Number(text) * Number(form.get(unitMark(name)) ?? 1));
  return parsed(name, kind, text.trim());
}

/** Returns the entries of a text, such as a pasted list. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function parsed(name: string, kind: FieldFacts['kind'], text: string): unknown {
  if (kind === 'number' || kind === 'days') return Number(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'date') return `${text}T00:00:00Z`;
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
  if (kind === 'date' && typeof value === 'string') return value.slice(0, DATE_LENGTH);
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
    const added = field === '' ? { ...textOf(message), path } : textOf(message);
    const others = found.get(field) ?? [];
    const isKnown = others.some(({ text, path: at }) => text === added.text && at === added.path);
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
